export { type ChangesAsked, changesAnswer, deleteAnswer, manyAnswer, setAnswer } from './changes.ts';
export { type DiaryAsked, diaryAnswer, loggedAnswer } from './diary.ts';
export type { AnswerOptions } from './frame.ts';
export { type ReadAsked, readAnswer } from './read.ts';
export { searchAnswer } from './search.ts';
export { whereAnswer } from './where.ts';
