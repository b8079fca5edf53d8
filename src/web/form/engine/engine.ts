/**
 * The engine of forms in the browser: the same that the server decides with, so that a person sees at once what the server will say.
 * Nothing else of the server is in the pages; `test/web/bundle.test.ts` lists its modules.
 */
export { type FillResult, fillForm } from '#design/forms/fillForm'
export { compileForm, type Form, type FormStage, type SentAnswer } from '#design/forms/form'
export { compileCondition } from '#design/stages/conditions'
export { messagesFor } from '#design/stages/scoring'
export { dayOfAnswer, momentOf } from '#kernel/calendar'
export { isDay, parseInstant } from '#kernel/time'
export { clockOf, instantOf, zoneOf } from '#kernel/zones'
export { isMatcherLoaded, loadMatcher } from './matcher'
