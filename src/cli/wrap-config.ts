import { planRewriting } from '../wrap/config/rewrite.ts';
import { launcher } from './launcher.ts';
import { makeChange } from './rewriting.ts';

export interface WrapConfigOptions {
  /** Whether the wrapping is to be taken out again. */
  readonly undo?: boolean | undefined;
  /** Whether nobody is to be asked. */
  readonly yes?: boolean | undefined;
  /** Options of `plimsoll wrap` that every server is to be wrapped with. */
  readonly flags?: readonly string[] | undefined;
}

/**
 * Wraps all servers in a client's configuration, or takes their wrapping out again: shows the difference on stdout, and
 * writes it if that is wanted. Throws `BAD_USAGE` if nobody is there to be asked.
 */
export async function wrapConfig(file: string, options: WrapConfigOptions): Promise<void> {
  const { undo = false, yes = false, flags } = options;
  const rewriting = await planRewriting(file, undo, { ...launcher(), ...(flags && { flags }) });
  await makeChange(rewriting, file, yes);
}
