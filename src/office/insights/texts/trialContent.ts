/** What an AI endpoint is sent about a trial (pure): statistics of fields that are neither restricted nor personal, by name. */
import type { Configuration } from '#design/configuration/configuration'
import { isSensitive } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import type { TrialNumbers } from '#office/insights/trial/numbers'
import { visibleNumbers } from '#office/insights/trial/view'
import { withoutPersonal } from './personalNumbers'

/** The occurrences of a stage whose scores are sent. */
const MOST_OCCURRENCES = 50

/**
 * @param personal the IDs of all participants, what they are called and how they can be reached: measures with one as a number, such as the
 * median, are left out
 * @returns the content, and the data types that it reveals
 */
export function trialContent(
  config: Configuration,
  numbers: TrialNumbers,
  personal: Iterable<string>,
): { content: object; reveals: Id[] } {
  const shown = visibleNumbers(config, numbers, (dataType) => isSensitive(config, dataType))
  const scoredIn = new Set(shown.scores.map(({ stage }) => stage))
  const scored = numbers.scores.flatMap(({ stage, dataTypes }) => (scoredIn.has(stage) ? dataTypes : []))
  const content = {
    participants: shown.participants,
    responses: shown.responses,
    completeness: {
      ...shown.completeness,
      byField: shown.completeness.byField.map(({ name, asked, answered }) => ({ name, asked, answered })),
    },
    adherence: {
      ...shown.adherence,
      periods: shown.adherence.periods.map(({ due, onTime, late, missed }) => ({ due, onTime, late, missed })),
    },
    hoursToAnswer: shown.timeToAnswer,
    measures: withoutPersonal(
      shown.measures.map(({ dataType: _, ...measure }) => measure),
      personal,
    ),
    scores: shown.scores.map(({ name, occurrences }) => ({
      form: name,
      occurrences: occurrences.slice(0, MOST_OCCURRENCES),
    })),
    dropout: shown.dropout,
  }
  const measured = shown.measures.map(({ dataType }) => dataType)
  const asked = shown.completeness.byField.map(({ dataType }) => dataType)
  const open = scored.filter((dataType) => !isSensitive(config, dataType))
  return { content, reveals: [...new Set([...measured, ...asked, ...open])] }
}
