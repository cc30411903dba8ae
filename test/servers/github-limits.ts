import type { Caller } from './github-caller.ts';

export interface Limits {
  /** Requests an hour; 60 unless said otherwise. */
  readonly anonymous?: number;
  /** Requests an hour with one token; 5,000 unless said otherwise. */
  readonly authorized?: number;
  /** Seconds from the first request until the count starts anew; an hour unless said otherwise. */
  readonly window?: number;
}

export interface LimitState {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Seconds since 1970. */
  readonly reset: number;
}

/**
 * GitHub's primary rate limit: counted for each token, and for all without a valid one together.
 * See https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api.
 */
export class RateLimits {
  readonly #limits: Limits;
  readonly #used = new Map<string, { used: number; reset: number }>();

  constructor(limits: Limits = {}) {
    this.#limits = limits;
  }

  of(caller: Caller): LimitState {
    const { anonymous = 60, authorized = 5000 } = this.#limits;
    const limit = caller.kind === 'user' ? authorized : anonymous;
    const { used, reset } = this.#window(caller);
    return { limit, used, remaining: Math.max(0, limit - used), reset };
  }

  count(caller: Caller): void {
    this.#window(caller).used += 1;
  }

  #window(caller: Caller): { used: number; reset: number } {
    const key = caller.kind === 'user' ? caller.token : '';
    const now = Math.floor(Date.now() / 1000);
    const current = this.#used.get(key);
    if (current && now < current.reset) return current;
    const fresh = { used: 0, reset: now + (this.#limits.window ?? 3600) };
    this.#used.set(key, fresh);
    return fresh;
  }
}
