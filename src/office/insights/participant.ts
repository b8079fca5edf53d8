/** Everything that is computed about a participant, for one reader. */

import type { ParticipantRow } from '#conduct/participants/store'
import { byDataType } from '#conduct/responses/layout'
import { layoutById, type ResponseRow, responsesOfParticipant, valuesOf } from '#conduct/responses/store'
import { isScoreHidden } from '#conduct/responses/views'
import { timelineInput } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { adherenceOf, timeToAnswer } from './adherence'
import { completenessOf } from './completeness'
import { dropoutOf } from './dropout'
import { dueForms } from './due'
import { courseOf, type MeasurePoint, numberIn } from './measures'

/** A response with its answers by data type. */
type ResponseAnswers = { row: ResponseRow; answers: Record<Id, unknown> }

const place = ({ row }: ResponseAnswers) => ({
  at: row.createdAt,
  response: row._id,
  stage: row.stage,
  stageRecurrence: row.stageRecurrence,
})

const fieldsOf = (config: Configuration, stage: Id): Id[] => config.form(stage).fields.map(({ dataType }) => dataType)

/** The numbers by what they measure, in the order of the configuration. */
function measuresIn(config: Configuration, responses: readonly ResponseAnswers[], hidden: HiddenFieldTest) {
  const series = new Map<Id, MeasurePoint[]>()
  for (const response of responses) {
    for (const [dataType, answer] of Object.entries(response.answers)) {
      const value = numberIn(answer)
      if (value === undefined || hidden(dataType)) continue
      const points = series.get(dataType)
      if (points) points.push({ ...place(response), value })
      else series.set(dataType, [{ ...place(response), value }])
    }
  }
  return [...config.dataTypes.values()].flatMap(({ _id, name, unit }) => {
    const points = series.get(_id)
    return points ? [{ dataType: _id, name, unit, ...courseOf(points) }] : []
  })
}

/** The scores of each stage, without those that would reveal a hidden answer. */
function scoresIn(db: Db, config: Configuration, responses: readonly ResponseAnswers[], hidden: HiddenFieldTest) {
  return config.stageOrder.flatMap(({ _id, name }) => {
    const points = responses.flatMap((response): MeasurePoint[] => {
      const { stage, score, layout } = response.row
      if (stage !== _id || score === null || isScoreHidden(config, stage, layoutById(db, layout), hidden)) return []
      return [{ ...place(response), value: score }]
    })
    return points.length ? [{ stage: _id, name, ...courseOf(points) }] : []
  })
}

/**
 * The insights on a participant as a reader may see them, at the moment `now`. The work grows with the participant's own responses
 * only.
 */
export function participantInsights(
  db: Db,
  config: Configuration,
  trial: { timezone: string | null },
  participant: ParticipantRow,
  hidden: HiddenFieldTest,
  now: Instant,
) {
  const input = timelineInput(db, participant, trial, now)
  const forms = dueForms(config.timeline, input)
  const rows = responsesOfParticipant(db, participant._id).toSorted((a, b) => a.createdAt - b.createdAt)
  const responses = rows.map((row) => ({ row, answers: byDataType(layoutById(db, row.layout), valuesOf(row)) }))
  const answered = responses.map(({ row, answers }) => ({ form: config.form(row.stage), answers }))
  const { createdAt: registeredAt, lastSeenAt, isWithdrawn, isArchived } = participant
  const submittedAt = rows.map(({ createdAt }) => createdAt)
  const measures = measuresIn(config, responses, hidden)
  return {
    participant: participant._id,
    at: now,
    completeness: completenessOf(forms, answered, hidden, input.zone),
    adherence: adherenceOf(forms, input.zone),
    timeToAnswer: timeToAnswer(forms),
    measures,
    scores: scoresIn(db, config, responses, hidden),
    dropout: dropoutOf({ now, registeredAt, lastSeenAt, submittedAt, forms }, isWithdrawn || isArchived),
    /** The data types whose answers all this tells something about: also whether they were answered. */
    reveals: [
      ...new Set(
        responses.flatMap(({ row }) => [...fieldsOf(config, row.stage), ...layoutById(db, row.layout).dataTypes]),
      ),
    ].filter((dataType) => !hidden(dataType)),
  }
}

export type ParticipantNumbers = ReturnType<typeof participantInsights>
