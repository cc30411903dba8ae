export {
  changesAnswer,
  deleteAnswer,
  type HistoryAsked,
  historyAnswer,
  manyAnswer,
  setAnswer,
} from './changes.ts';
export { type DiaryData, diaryAnswer, diaryData, loggedAnswer } from './diary.ts';
export type { AnswerOptions, PageOptions } from './frame.ts';
export { type ReadAsked, type ReadData, readAnswer, readData } from './read.ts';
export { type SearchData, type SearchMatch, searchAnswer, searchData } from './search.ts';
export { whereAnswer } from './where.ts';
