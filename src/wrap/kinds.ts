import { type Entry, type Held, LongObject } from '../json/held.ts';
import { fieldOf, textOf } from './requests.ts';

/** Methods whose answers are bounded, and notifications that are. */
export type BoundedMethod = 'tools/call' | 'resources/read' | 'prompts/get' | 'tasks/result' | TaskMethod;

/** What tells of tasks: of those of 2025-11-25, and of those of the extension `io.modelcontextprotocol/tasks`. */
type TaskMethod = 'tasks/get' | 'tasks/cancel' | 'tasks/list' | TaskNotice;
export type TaskNotice = 'notifications/tasks/status' | 'notifications/tasks';

/** The methods of every server whose answers are bounded. */
export const BOUNDED_METHODS: readonly BoundedMethod[] = ['tools/call', 'resources/read', 'prompts/get'];

/** Where what tells of a task stands in its message. */
const STATES: Readonly<Partial<Record<BoundedMethod, readonly string[]>>> = {
  'tasks/get': ['result'],
  'tasks/cancel': ['result'],
  'tasks/list': ['result'],
  'notifications/tasks': ['params'],
  'notifications/tasks/status': ['params'],
};

/** The path to what tells of a task, with its result in it if it has one, in the messages of a method that do. */
export function pathToTask(method: BoundedMethod): readonly string[] | undefined {
  return STATES[method];
}

/** Whether a result is the final one: results before 2026-07-28 don't say. */
export function isComplete(result: Held | undefined): boolean {
  const type = memberOf(result, 'resultType');
  return type === undefined || type === 'complete';
}

/**
 * The id of the task that a tool's answer says was made in its stead: as in 2025-11-25, where an answer with a `task`
 * that has content of its own is a result like any other, or as the tasks extension has it.
 */
export function taskMadeBy(result: Held | undefined): string | undefined {
  if (memberOf(result, 'resultType') === 'task') return taskIdOf(result);
  const hasContent = ['content', 'structuredContent'].some((key) => memberOf(result, key) !== undefined);
  return hasContent ? undefined : taskIdOf(memberOf(result, 'task'));
}

/** A member of what may be an object. */
export function memberOf(value: Held | undefined, key: string): Held | undefined {
  if (!(value instanceof LongObject)) return fieldOf(value, key) as Held | undefined;
  return [...value.first, ...value.last].find(([name]: Entry) => name === key)?.[1];
}

function taskIdOf(task: Held | undefined): string | undefined {
  return textOf(memberOf(task, 'status')) === undefined ? undefined : textOf(memberOf(task, 'taskId'));
}
