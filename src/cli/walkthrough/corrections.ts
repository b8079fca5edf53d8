import { forEach } from './client'
import { statementAnswers } from './entry'
import type { Study } from './model'
import type { Correction } from './plan'
import { entryKey, recordResponse, scoreAnswers, stageTitle } from './record'

/** Late corrections: staff compare paper forms with what was entered and correct each difference with a note. */
export const enterCorrections = (study: Study): Promise<void> =>
  forEach(study.plan.corrections, (correction) => correctAnswer(study, correction))

async function correctAnswer(study: Study, { person, week, instrument, statement, value }: Correction): Promise<void> {
  const { owner, trial, record, members, checks } = study
  const { participantId } = person
  const entry = record.entries.get(entryKey(participantId, stageTitle[instrument](week), week))!
  const before = Array.from(
    { length: Object.keys(entry.columns).length - 1 },
    (_, n) => entry.columns[`${instrument}_q${n + 1}`] as number,
  )
  const after = before.with(statement, value)
  const field = trial.fields[instrument]!
  const { _id } = members.get(participantId)!
  const path = `/trials/${trial._id}/participants/${_id}/responses/${trial.stages[instrument]}::${week}`
  const response = { [field]: { value: statementAnswers(after) } }
  await owner.expectRefusal(400, 'PUT', path, { response }) // the trial requires a note
  record.refusals++
  const updateNote = `Paper form of week ${week + 1}, statement ${statement + 1}: ${value} and not ${before[statement]}.`
  const stored = await owner.put(path, { response, updateNote })
  const { columns, score } = scoreAnswers(instrument, after)
  checks.equal('the score of a corrected response', [stored._id, stored.score], [entry.response, score])
  recordResponse(record, { ...entry, columns, score }, 'user')
  const { history } = await owner.get(`/trials/${trial._id}/responses/${stored._id}/history`)
  const change = history[1]?.changes.find(({ dataType }: { dataType: string }) => dataType === field)
  checks.equal(
    'the history of a correction',
    [history.length, history[0]?.score, history[1]?.score, history[1]?.updateNote, change?.value, change?.replaced],
    [2, entry.score, score, updateNote, statementAnswers(after), statementAnswers(before)],
  )
}
