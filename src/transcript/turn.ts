/**
 * Whose words a turn has. `system` is what a client puts in for the model: prompts, reminders, summaries of what was
 * said before.
 */
export type Role = 'person' | 'assistant' | 'tool' | 'system';

/** One thing that was said in a conversation. */
export interface Turn {
  readonly role: Role;
  /** Well-formed, and not white space alone. */
  readonly text: string;
  /** In which line of the file the turn begins, from 1. */
  readonly line: number;
  /** What the format calls the turn, if it has a name that copies of it share. */
  readonly id?: string | undefined;
  /** In ISO 8601, in UTC. In captions there is none: they only tell how long after the start something was said. */
  readonly time?: string | undefined;
  /** Who speaks, where more than one person does. */
  readonly speaker?: string | undefined;
  /** Which conversation the turn is of, in a file that holds several: its title, or else its id. */
  readonly conversation?: string | undefined;
}
