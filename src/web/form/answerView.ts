/** An answer as it is read, for every front end that shows some. */
export { AnswerView } from './answer'
