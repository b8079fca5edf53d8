/** The models of the training log of a site (docs/monitoring.md, "Training log"). */
import { PAGE } from '#office/siteRecords/page'
import { Attachment } from '#storage/attachments'
import * as t from '#wire/schema'
import { states } from './rules'

/** What may be corrected later. */
const TrainingFields = t.shape('TrainingInput', {
  training: t.withDescription(
    'What the person was trained in, such as “GCP E6(R3)” or “Protocol, version 2”.',
    t.text(1, 300),
  ),
  provider: t.maybe(t.orNull(t.text(0, 200))),
  trainedOn: t.day(),
  expiresOn: t.maybe(
    t.withDescription('The last day on which it counts; null if it does not expire.', t.orNull(t.day())),
  ),
  certificate: t.maybe(t.withDescription('Stored file name of an upload for the site.', t.orNull(t.text(1, 200)))),
})

export const NewTraining = t.joinShapes(
  'NewTraining',
  t.shape({ user: t.id('The account of the person, who can see the site.') }),
  TrainingFields,
)

export const TrainingChange = t.joinShapes(
  'TrainingChange',
  t.shape({
    struckReason: t.maybe(
      t.withDescription('Strikes the entry out, for ever: it was made in error. It stays in the log.', t.text(1, 500)),
    ),
  }),
  t.partial(TrainingFields),
)

export const Training = t.joinShapes(
  'Training',
  t.shape({
    _id: t.id(),
    createdAt: t.instant(),
    createdBy: t.id(),
    updatedAt: t.instant(),
    trial: t.id(),
    site: t.id(),
    user: t.id(),
    userName: t.withDescription('When the entry was made.', t.text(0, 200)),
    state: t.withDescription(
      '`renewed`: there is a later entry for the same person and training, so that it does not matter when this one expires.',
      t.oneOf(...states),
    ),
    certificateFile: t.maybe(t.withDescription('The certificate with its URL; in lists only.', t.orNull(Attachment))),
    struckAt: t.orNull(t.instant()),
    struckBy: t.orNull(t.id()),
    struckReason: t.orNull(t.text(0, 500)),
  }),
  TrainingFields,
)

export const Trainings = t.shape('Trainings', {
  trainings: t.list(Training, PAGE),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})
export const TrainingCsv = t.shape('TrainingCsv', { csv: t.text(0, 1_000_000_000) })
