import { reason } from '#kernel/refusals/reason'
import * as t from '#wire/schema'
import { passage, TrialSettings } from './settingsModel'

/** The wearables and devices a trial can connect (docs/decisions.md, "Outside services"). */
export const providers = ['fitbit', 'garmin', 'dexcom'] as const

/** The fields that have columns of their own. */
export const TrialColumns = t.shape('TrialColumns', {
  name: t.oneLine(2, 500),
  code: t.text(2, 100, {
    pattern: '^\\S(?:.*\\S)?$',
    problem: reason('notTrialCode'),
  }),
  description: passage(),
  timezone: t.orNull(t.zone()),
  behindScheduleNotices: t.withDescription(
    'The channels of notices about forms that are behind schedule and still open. If the list is empty, none are sent.',
    t.list(t.oneOf('push', 'sms', 'whatsapp', 'email'), 4),
  ),
  restrictRegistration: t.flag(),
  isArchived: t.flag(),
  isLocked: t.flag(),
  isDatabaseLocked: t.flag(),
})

/** Every settable field of a trial but its password. */
export const TrialFields = t.joinShapes('TrialFields', TrialColumns, TrialSettings)
export type TrialFields = t.ValueOf<typeof TrialFields>

export const TrialChange = t.partial(
  t.joinShapes(
    'TrialInput',
    TrialFields,
    t.shape({
      password: t.withDescription(
        'Participants may sign in with it; null removes it.',
        t.orNull(t.textWithSpaces(1, 200)),
      ),
    }),
  ),
)
export type TrialChange = t.ValueOf<typeof TrialChange>

const counts = {
  participantCount: t.whole(0),
  dataTypeCount: t.whole(0),
  stageCount: t.whole(0),
  responseCount: t.whole(0),
  hasUnreadMessages: t.flag(),
}

const TimelineUpdate = t.shape('TimelineUpdate', {
  jobId: t.withDescription(
    'Follow it with GET /jobs/:jobId. Null if another account made the change.',
    t.orNull(t.id()),
  ),
  progress: t.withDescription('How far it is, in words.', t.text(0, 200)),
})

const TrialSummary = t.shape('TrialSummary', {
  _id: t.id(),
  name: t.oneLine(2, 500),
  createdAt: t.instant(),
  isArchived: t.flag(),
  ...counts,
})

export const TrialSummaries = t.shape('TrialSummaries', { trials: t.list(TrialSummary) })

export const Trial = t.joinShapes(
  'Trial',
  t.shape({ _id: t.id(), createdAt: t.instant(), team: t.id() }),
  t.joinShapes(
    TrialFields,
    t.shape({
      passwordSet: t.flag(),
      sponsorLogoUrl: t.withDescription('Shows the logo for one hour.', t.orNull(t.text(0, 4000))),
      ...counts,
      timelineUpdate: t.withDescription(
        'Present while a job recalculates the timelines after a change of the configuration, else null.',
        t.orNull(TimelineUpdate),
      ),
    }),
  ),
)

export const TrialCreation = t.shape('TrialCreation', {
  name: t.maybe(
    t.withDescription(
      'Required, except with creationType=build, which can take it from the documents.',
      t.oneLine(2, 500),
    ),
  ),
  description: t.maybe(passage()),
  restrictRegistration: t.maybe(t.flag()),
  copyFrom: t.maybe(t.withDescription('The trial whose configuration is copied.', t.id())),
  prompt: t.maybe(t.withDescription('For creationType=build: a description of the trial.', t.text(1, 50_000))),
  files: t.maybe(
    t.withDescription(
      'For creationType=build: stored names of documents that were uploaded for the team or for you.',
      t.list(t.text(1, 200), 20),
    ),
  ),
})
export type TrialCreation = t.ValueOf<typeof TrialCreation>
