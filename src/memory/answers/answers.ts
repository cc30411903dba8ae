export {
  changesAnswer,
  deleteAnswer,
  type HistoryAsked,
  historyAnswer,
  manyAnswer,
  setAnswer,
} from './changes.ts';
export { diaryAnswer, loggedAnswer } from './diary.ts';
export type { AnswerOptions, PageOptions } from './frame.ts';
export { type ReadAsked, readAnswer } from './read.ts';
export { searchAnswer } from './search.ts';
export { whereAnswer } from './where.ts';
