/** The forms of a casebook: what the timeline lists, with the responses that are there (pure). */

import type { Reading, Response } from '#web/console/parts/field/reading'
import { formState } from '#web/console/parts/formState'
import type { FormState } from '#web/console/parts/parts'
import type { AnswerOf } from '#web/kit/api/operations'

export type StaffTimeline = AnswerOf<'readTimeline'>

/** The marks that stand beside a form. */
export type FormMarks = {
  /** The worst of its queries. */
  query: 'open' | 'answered' | undefined
  /** Whether every answer in it is verified. */
  isVerified: boolean
  isSigned: boolean
  /** Whether required questions are blank. */
  isPartial: boolean
}

export type FormRow = {
  /** Its name in the address: `<stageId>`, or `<stageId>::<n>`. */
  key: string
  stage: string
  /** Null for an ad hoc form that has no entry yet. */
  recurrence: number | null
  name: string
  /** Among the entries of an ad hoc form; undefined if it is the only one. */
  number: number | undefined
  state: FormState
  isAdHoc: boolean
  /** Whether it is a form that participants see. */
  isVisible: boolean
  completedAt: string | null
  enableAt: string | null
  expiresAt: string | null
  response: Response | undefined
  marks: FormMarks
}

export type FormList = { scheduled: readonly FormRow[]; adHoc: readonly FormRow[]; done: number }

type StageScope = { _id: string; name?: string; enabled?: boolean; adHoc?: boolean }

const NO_MARKS: FormMarks = { query: undefined, isVerified: false, isSigned: false, isPartial: false }

const keyOf = (stage: string, recurrence: number | null): string =>
  recurrence === null ? stage : `${stage}::${recurrence}`

function marksOf(response: Response | undefined, reading: Reading | undefined): FormMarks {
  if (!response || !reading) return NO_MARKS
  const queries = reading.queries.filter((each) => each.response === response._id).map(({ status }) => status)
  const verified = new Set((reading.responseValidations[response._id] ?? []).map(({ dataType }) => dataType))
  const fields = Object.keys(response.response)
  return {
    query: queries.includes('open') ? 'open' : queries.includes('answered') ? 'answered' : undefined,
    isVerified: fields.length > 0 && fields.every((dataType) => verified.has(dataType)),
    isSigned: reading.signatures.some((each) =>
      each.responses.some(({ response: signed, valid }) => signed === response._id && valid),
    ),
    isPartial: response.partialSubmission,
  }
}

/**
 * The forms of a participant, in the order of the timeline. An ad hoc form has a row for each entry. No response is left out, also if its
 * occurrence is no longer in the timeline.
 * @param reading the answers; undefined for people who do not see them
 * @param stages those of the trial: of forms for other sites or groups nothing is shown, unless there is a response
 * @param now in milliseconds
 */
export function formListOf(
  { stages: entries }: StaffTimeline,
  reading: Reading | undefined,
  stages: readonly StageScope[],
  now: number,
): FormList {
  const responses = new Map((reading?.responses ?? []).map((each) => [keyOf(each.stage, each.stageRecurrence), each]))
  const drafts = new Set((reading?.drafts ?? []).map((each) => keyOf(each.stage, each.stageRecurrence)))
  const byId = new Map(stages.map((each) => [each._id, each]))
  const used = new Set<string>()
  const scheduled: FormRow[] = []
  const adHoc: FormRow[] = []

  for (const entry of entries) {
    const { stage, stageRecurrence, name, enableAt, expiresAt = null, visible: isVisible } = entry
    const row = { stage, name, number: undefined, isVisible, enableAt, expiresAt }
    if (entry.adHoc) {
      const own = (reading?.responses ?? [])
        .filter((each) => each.stage === stage)
        .sort((a, b) => a.stageRecurrence - b.stageRecurrence)
      for (const [at, response] of own.entries()) {
        const key = keyOf(stage, response.stageRecurrence)
        used.add(key)
        adHoc.push({
          ...row,
          ...{ key, recurrence: response.stageRecurrence, isAdHoc: true, response },
          number: own.length > 1 ? at + 1 : undefined,
          state: 'complete',
          completedAt: response.createdAt,
          marks: marksOf(response, reading),
        })
      }
      const isOpen = isVisible || byId.get(stage)?.enabled === false
      if (own.length || entry.isPoll || !isOpen) continue
      const state = formState(entry, now, drafts.has(stage))
      const { completedAt } = entry
      adHoc.push({
        ...row,
        key: stage,
        recurrence: null,
        isAdHoc: true,
        state,
        completedAt,
        response: undefined,
        marks: NO_MARKS,
      })
      continue
    }
    const key = keyOf(stage, stageRecurrence)
    const response = responses.get(key)
    if (response) used.add(key)
    // A form that participants never see is for staff. Any other that is not visible here is for other sites or groups, or a poll.
    const isForOthers = !isVisible && (entry.isPoll || byId.get(stage)?.enabled !== false)
    if (isForOthers && !response && !entry.completed) continue
    scheduled.push({
      ...row,
      ...{ key, recurrence: stageRecurrence, isAdHoc: false, response },
      state: formState(entry, now, drafts.has(key)),
      completedAt: entry.completedAt,
      marks: marksOf(response, reading),
    })
  }

  for (const [key, response] of responses) {
    if (used.has(key)) continue
    const { stage, stageRecurrence: recurrence, createdAt: completedAt } = response
    scheduled.push({
      ...{ key, stage, recurrence, name: byId.get(stage)?.name ?? '', number: recurrence + 1, isAdHoc: false },
      ...{ state: 'complete', isVisible: false, completedAt, enableAt: null, expiresAt: null, response },
      marks: marksOf(response, reading),
    })
  }
  // Occurrences whose names are the same are told apart by their number.
  const alike = Map.groupBy(scheduled, ({ stage, name }) => `${stage} ${name}`)
  for (const rows of alike.values()) if (rows.length > 1) for (const row of rows) row.number = (row.recurrence ?? 0) + 1
  return { scheduled, adHoc, done: scheduled.filter(({ state }) => state === 'complete').length }
}

/** The form that is shown at first: the one that the address names, else the first that somebody has to look at. */
export function firstForm({ scheduled, adHoc }: FormList, named: string | null): FormRow | undefined {
  const all = [...scheduled, ...adHoc]
  return (
    all.find(({ key }) => key === named) ??
    all.find(({ marks }) => marks.query === 'open') ??
    scheduled.findLast(({ state }) => state === 'complete') ??
    all.find(({ state }) => state !== 'waiting') ??
    all[0]
  )
}
