import { reason } from '#kernel/refusals/reason'
import {
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  partial,
  shape,
  text,
  textWithSpaces,
  type ValueOf,
  whole,
  withDescription,
  zone,
} from '#wire/schema'
import { passage, TrialSettings } from './settingsModel'

/** The wearables and devices a trial can connect (docs/decisions.md, "Outside services"). */
export const providers = ['fitbit', 'garmin', 'dexcom'] as const

/** The fields that have columns of their own. */
export const TrialColumns = shape('TrialColumns', {
  name: oneLine(2, 500),
  code: text(2, 100, {
    pattern: '^\\S(?:.*\\S)?$',
    problem: reason('notTrialCode'),
  }),
  description: passage(),
  timezone: orNull(zone()),
  behindScheduleNotices: withDescription(
    'The channels of notices about forms that are behind schedule and still open. If the list is empty, none are sent.',
    list(oneOf('push', 'sms', 'whatsapp', 'email'), 4),
  ),
  restrictRegistration: flag(),
  isArchived: flag(),
  isLocked: flag(),
  isDatabaseLocked: flag(),
})

/** Every settable field of a trial but its password. */
export const TrialFields = joinShapes('TrialFields', TrialColumns, TrialSettings)
export type TrialFields = ValueOf<typeof TrialFields>

export const TrialChange = partial(
  joinShapes(
    'TrialInput',
    TrialFields,
    shape({
      password: withDescription('Participants may sign in with it; null removes it.', orNull(textWithSpaces(1, 200))),
    }),
  ),
)
export type TrialChange = ValueOf<typeof TrialChange>

const counts = {
  participantCount: whole(0),
  dataTypeCount: whole(0),
  stageCount: whole(0),
  responseCount: whole(0),
  hasUnreadMessages: flag(),
}

const TimelineUpdate = shape('TimelineUpdate', {
  jobId: withDescription('Follow it with GET /jobs/:jobId. Null if another account made the change.', orNull(id())),
  progress: withDescription('How far it is, in words.', text(0, 200)),
})

const TrialSummary = shape('TrialSummary', {
  _id: id(),
  name: oneLine(2, 500),
  createdAt: instant(),
  isArchived: flag(),
  ...counts,
})

export const TrialSummaries = shape('TrialSummaries', { trials: list(TrialSummary) })

export const Trial = joinShapes(
  'Trial',
  shape({ _id: id(), createdAt: instant(), team: id() }),
  joinShapes(
    TrialFields,
    shape({
      passwordSet: flag(),
      sponsorLogoUrl: withDescription('Shows the logo for one hour.', orNull(text(0, 4000))),
      ...counts,
      timelineUpdate: withDescription(
        'Present while a job recalculates the timelines after a change of the configuration, else null.',
        orNull(TimelineUpdate),
      ),
    }),
  ),
)

export const TrialCreation = shape('TrialCreation', {
  name: maybe(
    withDescription('Required, except with creationType=build, which can take it from the documents.', oneLine(2, 500)),
  ),
  description: maybe(passage()),
  restrictRegistration: maybe(flag()),
  copyFrom: maybe(withDescription('The trial whose configuration is copied.', id())),
  prompt: maybe(withDescription('For creationType=build: a description of the trial.', text(1, 50_000))),
  files: maybe(
    withDescription(
      'For creationType=build: stored names of documents that were uploaded for the team or for you.',
      list(text(1, 200), 20),
    ),
  ),
})
export type TrialCreation = ValueOf<typeof TrialCreation>
