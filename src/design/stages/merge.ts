/** Makes a stage from what was sent: a new one, or an existing one with changes. */

import { sourcesAfter, type TranslationSources } from '#design/translations/sources'
import { stageTexts } from '#design/translations/textKinds'
import type { StageInput } from './model'
import { type StageRow, stageDefaults } from './store'

type StageKey = Pick<StageRow, '_id' | 'createdAt' | 'trial' | 'index'>

/** `HH:MM` as `HH:MM:00`. */
const withSeconds = (time: string | null): string | null => (time?.length === 5 ? `${time}:00` : time)

/** The stage with the sent fields. Does not change its `index`. */
export const mergeStage = (before: StageRow, sent: Partial<StageInput>): StageRow =>
  withSources(mergeFields(before, sent), before, before.translatedFrom)

function mergeFields(before: StageRow, { index: _, ...sent }: Partial<StageInput>): StageRow {
  const after: StageRow = { ...before, ...sent }
  return {
    ...after,
    enableAtTime: withSeconds(after.enableAtTime),
    behindCutoffTime: withSeconds(after.behindCutoffTime),
  }
}

function withSources(
  { translatedFrom: _, ...after }: StageRow,
  before: StageRow | undefined,
  known: TranslationSources | undefined,
): StageRow {
  const translatedFrom = sourcesAfter(after, stageTexts, before, known)
  return translatedFrom ? { ...after, translatedFrom } : after
}

/**
 * A new stage: the sent fields, and defaults for the others.
 * @param translatedFrom of the stage that it is a copy of
 */
export const stageFromInput = (
  key: StageKey,
  sent: Omit<StageInput, 'index'> & { translatedFrom?: TranslationSources },
): StageRow =>
  withSources(mergeFields({ ...stageDefaults, name: sent.name, ...key }, sent), undefined, sent.translatedFrom)
