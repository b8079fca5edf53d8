/** Models of stages (docs/forms.md, "Stages"). */

import { MOST_DAYS, MOST_OCCURRENCES } from '#design/schedule/problems'
import { translationsOf } from '#design/translations/model'
import { formKeys } from '#design/trials/settingsModel'
import { reason } from '#kernel/refusals/reason'
import {
  either,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  type TSchema,
  text,
  timeOfDay,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'
import { Component, OnSubmitRule } from './components'

/** A field that may be left out; null removes it. */
const clearable = <T extends TSchema>(schema: T) => maybe(orNull(schema))

const delay = clearable(withDescription('In days.', whole(-MOST_DAYS, MOST_DAYS)))

const EnableAfter = {
  ...either(
    shape('AfterStage', { type: oneOf('stage'), stage: id(), stageRecurrence: clearable(whole(0)), delay }),
    shape('AfterAnchor', { type: oneOf('anchor'), anchor: id(), delay }),
  ),
  problem: reason('notStageStart'),
}

const Reminder = shape('Reminder', {
  hour: withDescription('Hours after opening.', whole(0, 8760)),
  title: withDescription('`%n` becomes the number of the occurrence, here and in the body.', clearable(text(0, 200))),
  body: text(1, 1000),
  sendVia: list(oneOf('push', 'sms', 'whatsapp', 'email'), 4, 1),
  translations: translationsOf('ReminderTexts', { title: text(0, 200), body: text(1, 1000) }),
})

const PollSettings = shape('PollSettings', {
  requireEmail: maybe(flag()),
  requirePhone: maybe(flag()),
  verifyEmail: maybe(flag()),
  verifyPhone: maybe(flag()),
  requireConsentedEmail: maybe(flag()),
  requireConsentedPhone: maybe(flag()),
  oneAnswerPerContact: maybe(
    withDescription(
      'A verified or consented contact can answer once. A contact that is only entered is not limited.',
      flag(),
    ),
  ),
})

const LinkAttribute = shape('LinkAttribute', { name: oneLine(1, 100), value: text(0, 1000) })

const CustomLink = shape('CustomLink', {
  id: oneLine(1, 100),
  name: oneLine(1, 200),
  attributes: maybe(list(LinkAttribute, 100)),
})

const AnchoredOpening = shape('AnchoredOpening', { anchor: id(), dayOffset: whole(-MOST_DAYS, MOST_DAYS) })

const Days = whole(1, MOST_DAYS)

const texts = {
  name: oneLine(2, 100),
  description: text(0, 1000),
  postSubmissionText: text(0, 3000),
  recurrenceNames: list(text(0, 200), MOST_OCCURRENCES),
}

/** The fields of a new stage; `stageDefaults` has their defaults. */
export const StageInput = shape('StageInput', {
  name: withDescription("%n in a recurring stage's name becomes the occurrence number.", texts.name),
  description: clearable(texts.description),
  index: maybe(withDescription('Position in the list; without it, the end.', whole(0))),
  enabled: maybe(withDescription('Visible to participants.', flag())),
  components: maybe(list(Component, 5000)),
  adHoc: maybe(withDescription('Available on demand, not a timepoint.', flag())),
  postSubmissionText: clearable(texts.postSubmissionText),
  allowIncompleteSubmission: maybe(withDescription('Required fields may be blank.', flag())),
  oneQuestionPerScreen: maybe(flag()),
  showProgressBar: maybe(flag()),
  availableToSites: clearable(withDescription('Null for all.', list(id()))),
  availableToGroups: clearable(withDescription('Null for all.', list(id()))),
  isRecurring: maybe(flag()),
  recurringFrequency: clearable(withDescription('Repeats every this many days.', Days)),
  recurringDuration: clearable(withDescription('For this many days.', Days)),
  recurrenceNames: clearable(texts.recurrenceNames),
  enableAfter: clearable(EnableAfter),
  enableAtTime: clearable(withDescription('HH:MM:SS, the time of day it opens.', timeOfDay())),
  availabilityWindowHours: clearable(withDescription('Closes this many hours after opening.', whole(1, 8760))),
  exemptFromBehindStatus: maybe(flag()),
  behindCutoffTime: clearable(
    withDescription('HH:MM:SS, the time of day from which it counts as behind schedule.', timeOfDay()),
  ),
  reminders: maybe(list(Reminder, 100)),
  isAnchored: maybe(flag()),
  anchorSchedule: clearable(list(AnchoredOpening, MOST_OCCURRENCES)),
  isPoll: maybe(withDescription('An anonymous poll.', flag())),
  pollSettings: clearable(PollSettings),
  customLinks: maybe(list(CustomLink, 500)),
  onSubmitRules: maybe(list(OnSubmitRule, 100)),
  requiresConsent: maybe(
    withDescription(
      'The keys of consent forms: without a valid consent with each of them, and with those of the trial, nothing is entered.',
      formKeys(),
    ),
  ),
  translations: translationsOf('StageTexts', texts),
})
export type StageInput = ValueOf<typeof StageInput>

export const Stage = joinShapes('Stage', shape({ _id: id(), createdAt: instant(), trial: id() }), StageInput)

export const Stages = shape('Stages', { stages: list(Stage) })
