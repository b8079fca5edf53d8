/** What a form says after it was sent, for the pages around it. */
export { Calling } from './calling'
export { Covering } from './covering'
export { ToldAfter } from './told'
