/** What one participant adds to the insights on a trial. */
import { byDataType } from '#conduct/responses/layout'
import { layoutById, responsesOfParticipant, valuesOf } from '#conduct/responses/store'
import { timelineInput } from '#conduct/timeline/progress'
import type { DueParticipant } from '#conduct/timeline/store'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { isBlank } from '#design/dataTypes/values'
import { dayIn } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { hoursToAnswer, periodOf } from '#office/insights/adherence'
import { askedFields } from '#office/insights/completeness'
import { dropoutOf } from '#office/insights/dropout'
import { type DueForm, dueForms } from '#office/insights/due'
import { numberIn, weeksSince } from '#office/insights/measures'
import type { Point } from '#office/statistics/estimates'

/** A participant with what insights need. `isReminded`: neither archived nor withdrawn. */
export type InsightParticipant = DueParticipant & { lastSeenAt: Instant | null; isArchived: number }

type Score = { stage: Id; stageRecurrence: number; score: number; dataTypes: readonly Id[] }

export type Facts = {
  sites: readonly Id[]
  forms: readonly DueForm[]
  /** The first day of the month in which each form opened. */
  months: readonly string[]
  hours: readonly number[]
  responses: number
  fields: readonly { dataType: Id; isAnswered: boolean }[]
  /** The data type of each answer, calculations too. */
  entered: readonly Id[]
  /** The numbers of each data type in the order of time; x in weeks. */
  series: ReadonlyMap<Id, Point[]>
  scores: readonly Score[]
  dropout: ReturnType<typeof dropoutOf>
}

export function factsOf(
  db: Db,
  config: Configuration,
  trial: { timezone: string | null },
  participant: InsightParticipant,
  now: Instant,
): Facts {
  const input = timelineInput(db, participant, trial, now)
  const forms = dueForms(config.timeline, input)
  const rows = responsesOfParticipant(db, participant._id).toSorted((a, b) => a.createdAt - b.createdAt)
  const fields: { dataType: Id; isAnswered: boolean }[] = []
  const entered: Id[] = []
  const series = new Map<Id, Point[]>()
  const scores: Score[] = []
  for (const row of rows) {
    const layout = layoutById(db, row.layout)
    const answers = byDataType(layout, valuesOf(row))
    fields.push(...askedFields({ form: config.form(row.stage), answers }, input.zone))
    for (const [dataType, answer] of Object.entries(answers)) {
      if (!isBlank(answer)) entered.push(dataType)
      const y = numberIn(answer)
      if (y === undefined) continue
      const points = series.get(dataType)
      const point = { x: weeksSince(participant.createdAt, row.createdAt), y }
      if (points) points.push(point)
      else series.set(dataType, [point])
    }
    const { stage, stageRecurrence, score } = row
    if (score !== null) scores.push({ stage, stageRecurrence, score, dataTypes: layout.dataTypes })
  }
  const { createdAt: registeredAt, lastSeenAt, isReminded } = participant
  const submittedAt = rows.map(({ createdAt }) => createdAt)
  return {
    sites: input.sites,
    forms,
    months: forms.map(({ openedAt }) => periodOf(dayIn(openedAt, input.zone), 'month')),
    hours: hoursToAnswer(forms),
    responses: rows.length,
    fields,
    entered,
    series,
    scores,
    dropout: dropoutOf({ now, registeredAt, lastSeenAt, submittedAt, forms }, isReminded === 0),
  }
}
