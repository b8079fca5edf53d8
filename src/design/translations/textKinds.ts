/** What can be translated: the texts of each kind of object, and the objects inside it (docs/translations.md). */

/** A kind of object with texts. */
export type TextKind = {
  /** The fields with a text, or with a list of texts. */
  texts: readonly string[]
  /** The field that receives a translated text in place of the only text, which is also a value of answers. */
  shownAs?: string
  /** The fields with objects that have texts: one object, or a list. */
  inside?: Readonly<Record<string, TextKind>>
  /** Whether an object is left out, because only staff read it. */
  isInternal?: (object: Readonly<Record<string, unknown>>) => boolean
}

// An answer holds the label of the option in the source language, so that the language never changes data.
const option: TextKind = { texts: ['label'], shownAs: 'text' }
const label: TextKind = { texts: ['label'] }
const scalars = { options: option, scale: label, statements: label }
const ends = ['unit', 'minLabel', 'maxLabel']

export const dataTypeTexts: TextKind = {
  texts: ['name', 'description', ...ends],
  inside: { ...scalars, columns: { texts: ['label', ...ends], inside: scalars } },
}

const action: TextKind = { texts: ['message'], isInternal: ({ type }) => type === 'notifyTeam' }

export const stageTexts: TextKind = {
  texts: ['name', 'description', 'postSubmissionText', 'recurrenceNames'],
  inside: {
    components: {
      texts: ['title', 'description', 'notificationTitle', 'notificationBody'],
      inside: { constraint: { texts: ['message'] }, video: { texts: ['name'] } },
    },
    reminders: { texts: ['title', 'body'] },
    onSubmitRules: { texts: [], inside: { actions: action } },
  },
}

/** What of a stage is in a timeline. */
export const stageNames: TextKind = { texts: ['name', 'description', 'recurrenceNames'] }

export const trialTexts: TextKind = { texts: ['name', 'description', 'defaultNotificationTitle'] }

export const resourceTexts: TextKind = { texts: ['title', 'description', 'html'] }
