import { redactSpoken } from '../../secrets/secrets.ts';
import type { Fact, Refused } from './fact.ts';

/** What stands where a secret was masked. */
const MASKED = '[redacted';

/** Facts without those that hold a secret, which nothing that is written may repeat. */
export class Guard {
  readonly facts: Fact[] = [];
  readonly refused: Refused[] = [];
  /** How many facts hold a secret that nothing masked before. */
  secrets = 0;

  async add(fact: Fact): Promise<void> {
    const { key, value, evidence } = fact;
    const text = [key, value, evidence.quote].join('\n');
    const isSecret = await holdsSecret(text);
    if (!isSecret && !text.includes(MASKED)) {
      this.facts.push(fact);
      return;
    }
    if (isSecret) this.secrets++;
    const name = (await holdsSecret(key)) ? '…' : key;
    const own = `${key}\n${value}`;
    const isOwn = own.includes(MASKED) || (await holdsSecret(own));
    const where = isOwn ? 'it holds' : 'the words that say it hold';
    this.refused.push({ candidate: name, reason: `"${name}": ${where} a secret` });
  }

  async refuse({ candidate, reason }: Refused): Promise<void> {
    const text = `${reason}\n${JSON.stringify(candidate)}`;
    const isSecret = await holdsSecret(text);
    const isHidden = isSecret || text.includes(MASKED);
    this.refused.push(
      isHidden ? { candidate: '…', reason: '"…": it holds a secret' } : { candidate, reason },
    );
    if (isSecret) this.secrets++;
  }
}

async function holdsSecret(text: string): Promise<boolean> {
  return (await redactSpoken(text)).found.length > 0;
}
