import type { components } from '@octokit/openapi-types';
import { BareRepository } from './bare-repository.ts';
import type { Caller } from './github-caller.ts';
import { type ApiAnswer, accessBlocked, notFound, ssoRequired } from './github-refusals.ts';

export type RepositoryFacts = components['schemas']['full-repository'];

/** A repository as a test puts it on GitHub. */
export interface HostedRepository {
  /** A bare repository on disk. */
  readonly path: string;
  /** What is not as with an ordinary public repository; `private` also hides it. */
  readonly facts?: Partial<RepositoryFacts>;
  /** `owner/repo` of another repository here that this one is a fork of. */
  readonly parent?: string;
  /** Taken down for legal reasons. */
  readonly blocked?: boolean;
  /** Its organization demands single sign-on, which no token here has passed. */
  readonly sso?: boolean;
}

export interface Hosted extends HostedRepository {
  /** `owner/repo`. */
  readonly name: string;
  readonly id: number;
  readonly repository: BareRepository;
}

const FIRST_ID = 1001;

/** Finds repositories by their names, whose case doesn't matter, or ids. */
export class Hosting {
  readonly #all: readonly Hosted[];
  readonly #renamed: Readonly<Record<string, string>>;

  /** `renamed` gives present names by former ones. */
  constructor(
    repositories: Readonly<Record<string, HostedRepository>>,
    renamed: Readonly<Record<string, string>> = {},
  ) {
    this.#renamed = renamed;
    this.#all = Object.entries(repositories).map(([name, hosted], at) => ({
      ...hosted,
      name,
      id: Number(hosted.facts?.id ?? FIRST_ID + at),
      repository: new BareRepository(hosted.path),
    }));
  }

  named(name: string): Hosted | undefined {
    return this.#all.find((hosted) => isSame(hosted.name, name));
  }

  formerly(name: string): Hosted | undefined {
    const present = Object.entries(this.#renamed).find(([former]) => isSame(former, name))?.[1];
    return present === undefined ? undefined : this.named(present);
  }

  withId(id: number): Hosted | undefined {
    return this.#all.find((hosted) => hosted.id === id);
  }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Why a caller is not let at a repository, if so. */
export function refused(hosted: Hosted, caller: Caller): ApiAnswer | undefined {
  if (hosted.facts?.private && caller.kind !== 'user') return notFound();
  if (hosted.blocked) return accessBlocked();
  if (hosted.sso && caller.kind === 'user') return ssoRequired(hosted.name.split('/')[0] as string);
  return undefined;
}
