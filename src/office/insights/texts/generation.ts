/** Generated texts as readers see them, and whether one can be asked for (docs/insights.md, "Texts by an AI endpoint"). */
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { InsightText } from './store'

/** The setting of a trial that allows texts. */
type Setting = 'participantInsightsEnabled' | 'trialInsightsEnabled'

/** Texts without those that may tell what is hidden from the reader. */
export const visibleTexts = (texts: readonly InsightText[], hidden: HiddenFieldTest) =>
  texts.filter(({ reveals }) => !reveals.some(hidden)).map((text) => ({ ...text, isGenerated: true }))

/** Whether a text can be asked for, with a sentence that says what is missing if not. */
export function generationState({ asksAi }: { asksAi: boolean }, settings: Record<Setting, boolean>, by: Setting) {
  if (!asksAi)
    return { isAvailable: false, message: 'No AI endpoint is configured on this server. The numbers need none.' }
  if (!settings[by]) return { isAvailable: false, message: `Generated texts are switched off in this trial (${by}).` }
  return { isAvailable: true, message: 'A text about these numbers can be asked for with POST.' }
}
