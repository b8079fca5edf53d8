/** Models of stages (docs/forms.md, "Stages"). */

import { MOST_DAYS, MOST_OCCURRENCES } from '#design/schedule/problems'
import { translationsOf } from '#design/translations/model'
import { formKeys } from '#design/trials/settingsModel'
import { reason } from '#kernel/refusals/reason'
import * as t from '#wire/schema'
import { Component, OnSubmitRule } from './components'

/** A field that may be left out; null removes it. */
const clearable = <T extends t.TSchema>(schema: T) => t.maybe(t.orNull(schema))

const delay = clearable(t.withDescription('In days.', t.whole(-MOST_DAYS, MOST_DAYS)))

const EnableAfter = {
  ...t.either(
    t.shape('AfterStage', { type: t.oneOf('stage'), stage: t.id(), stageRecurrence: clearable(t.whole(0)), delay }),
    t.shape('AfterAnchor', { type: t.oneOf('anchor'), anchor: t.id(), delay }),
  ),
  problem: reason('notStageStart'),
}

const Reminder = t.shape('Reminder', {
  hour: t.withDescription('Hours after opening.', t.whole(0, 8760)),
  title: t.withDescription(
    '`%n` becomes the number of the occurrence, here and in the body.',
    clearable(t.text(0, 200)),
  ),
  body: t.text(1, 1000),
  sendVia: t.list(t.oneOf('push', 'sms', 'whatsapp', 'email'), 4, 1),
  translations: translationsOf('ReminderTexts', { title: t.text(0, 200), body: t.text(1, 1000) }),
})

const PollSettings = t.shape('PollSettings', {
  requireEmail: t.maybe(t.flag()),
  requirePhone: t.maybe(t.flag()),
  verifyEmail: t.maybe(t.flag()),
  verifyPhone: t.maybe(t.flag()),
  requireConsentedEmail: t.maybe(t.flag()),
  requireConsentedPhone: t.maybe(t.flag()),
  oneAnswerPerContact: t.maybe(
    t.withDescription(
      'A verified or consented contact can answer once. A contact that is only entered is not limited.',
      t.flag(),
    ),
  ),
})

const LinkAttribute = t.shape('LinkAttribute', { name: t.oneLine(1, 100), value: t.text(0, 1000) })

const CustomLink = t.shape('CustomLink', {
  id: t.oneLine(1, 100),
  name: t.oneLine(1, 200),
  attributes: t.maybe(t.list(LinkAttribute, 100)),
})

const AnchoredOpening = t.shape('AnchoredOpening', { anchor: t.id(), dayOffset: t.whole(-MOST_DAYS, MOST_DAYS) })

const Days = t.whole(1, MOST_DAYS)

const texts = {
  name: t.oneLine(2, 100),
  description: t.text(0, 1000),
  postSubmissionText: t.text(0, 3000),
  recurrenceNames: t.list(t.text(0, 200), MOST_OCCURRENCES),
}

/** The fields of a new stage; `stageDefaults` has their defaults. */
export const StageInput = t.shape('StageInput', {
  name: t.withDescription("%n in a recurring stage's name becomes the occurrence number.", texts.name),
  description: clearable(texts.description),
  index: t.maybe(t.withDescription('Position in the list; without it, the end.', t.whole(0))),
  enabled: t.maybe(t.withDescription('Visible to participants.', t.flag())),
  components: t.maybe(t.list(Component, 5000)),
  adHoc: t.maybe(t.withDescription('Available on demand, not a timepoint.', t.flag())),
  postSubmissionText: clearable(texts.postSubmissionText),
  allowIncompleteSubmission: t.maybe(t.withDescription('Required fields may be blank.', t.flag())),
  oneQuestionPerScreen: t.maybe(t.flag()),
  showProgressBar: t.maybe(t.flag()),
  availableToSites: clearable(t.withDescription('Null for all.', t.list(t.id()))),
  availableToGroups: clearable(t.withDescription('Null for all.', t.list(t.id()))),
  isRecurring: t.maybe(t.flag()),
  recurringFrequency: clearable(t.withDescription('Repeats every this many days.', Days)),
  recurringDuration: clearable(t.withDescription('For this many days.', Days)),
  recurrenceNames: clearable(texts.recurrenceNames),
  enableAfter: clearable(EnableAfter),
  enableAtTime: clearable(t.withDescription('HH:MM:SS, the time of day it opens.', t.timeOfDay())),
  availabilityWindowHours: clearable(t.withDescription('Closes this many hours after opening.', t.whole(1, 8760))),
  exemptFromBehindStatus: t.maybe(t.flag()),
  behindCutoffTime: clearable(
    t.withDescription('HH:MM:SS, the time of day from which it counts as behind schedule.', t.timeOfDay()),
  ),
  reminders: t.maybe(t.list(Reminder, 100)),
  isAnchored: t.maybe(t.flag()),
  anchorSchedule: clearable(t.list(AnchoredOpening, MOST_OCCURRENCES)),
  isPoll: t.maybe(t.withDescription('An anonymous poll.', t.flag())),
  pollSettings: clearable(PollSettings),
  customLinks: t.maybe(t.list(CustomLink, 500)),
  onSubmitRules: t.maybe(t.list(OnSubmitRule, 100)),
  requiresConsent: t.maybe(
    t.withDescription(
      'The keys of consent forms: without a valid consent with each of them, and with those of the trial, nothing is entered.',
      formKeys(),
    ),
  ),
  translations: translationsOf('StageTexts', texts),
})
export type StageInput = t.ValueOf<typeof StageInput>

export const Stage = t.joinShapes('Stage', t.shape({ _id: t.id(), createdAt: t.instant(), trial: t.id() }), StageInput)

export const Stages = t.shape('Stages', { stages: t.list(Stage) })
