/** The bodies and the paths of submissions. */
import type { Member, Study } from './model'
import type { StageKey } from './record'

/** The path of the trial's participants. */
export const participants = ({ trial }: Study) => `/trials/${trial._id}/participants`

/** The body of a submission from answers by code. */
export const submissionOf = ({ trial }: Study, answers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(answers).map(([code, value]) => [trial.fields[code]!, { value }]))

/** The answers to a questionnaire by the key of the statement. */
export const statementAnswers = (values: readonly number[]) =>
  Object.fromEntries(values.map((value, n) => [`q${n + 1}`, value]))

/** The path of an occurrence of a weekly stage, or of a stage that has only one. */
export const occurrence = ({ trial }: Study, stage: StageKey, week: number | undefined) =>
  week === undefined ? trial.stages[stage] : `${trial.stages[stage]}::${week}`

/** Submits a response as the nurse of the participant's site. */
export const enterAsNurse = (
  study: Study,
  { _id, person }: Member,
  stage: StageKey,
  week: number | undefined,
  answers: Record<string, unknown>,
) =>
  study.trial.nurses[person.site]!.put(`${participants(study)}/${_id}/responses/${occurrence(study, stage, week)}`, {
    response: submissionOf(study, answers),
  })
