import { redactSpoken } from '../../secrets/secrets.ts';
import type { Fact, Refused } from './fact.ts';

/** What stands where a secret was masked. */
const MASKED = '[redacted';

/** Facts without those that hold a secret, which nothing that is written may repeat. */
export class Guard {
  readonly facts: Fact[] = [];
  readonly refused: Refused[] = [];
  /** How many facts hold a secret. */
  secrets = 0;

  async add(fact: Fact): Promise<void> {
    const { key, value, evidence } = fact;
    if (!(await holdsSecret([key, value, evidence.quote].join('\n')))) {
      this.facts.push(fact);
      return;
    }
    this.secrets++;
    const name = (await holdsSecret(key)) ? '…' : key;
    this.refused.push({ candidate: name, reason: `"${name}": it holds a secret` });
  }

  async refuse({ candidate, reason }: Refused): Promise<void> {
    const holds = await holdsSecret(`${reason}\n${JSON.stringify(candidate)}`);
    this.refused.push(holds ? { candidate: '…', reason: '"…": it holds a secret' } : { candidate, reason });
    if (holds) this.secrets++;
  }
}

async function holdsSecret(text: string): Promise<boolean> {
  return text.includes(MASKED) || (await redactSpoken(text)).found.length > 0;
}
