/** The models of the training log of a site (docs/monitoring.md, "Training log"). */
import { PAGE } from '#office/siteRecords/page'
import { Attachment } from '#storage/attachments'
import {
  day,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneOf,
  orNull,
  partial,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'
import { states } from './rules'

/** What may be corrected later. */
const TrainingFields = shape('TrainingInput', {
  training: withDescription(
    'What the person was trained in, such as “GCP E6(R3)” or “Protocol, version 2”.',
    text(1, 300),
  ),
  provider: maybe(orNull(text(0, 200))),
  trainedOn: day(),
  expiresOn: maybe(withDescription('The last day on which it counts; null if it does not expire.', orNull(day()))),
  certificate: maybe(withDescription('Stored file name of an upload for the site.', orNull(text(1, 200)))),
})

export const NewTraining = joinShapes(
  'NewTraining',
  shape({ user: id('The account of the person, who can see the site.') }),
  TrainingFields,
)

export const TrainingChange = joinShapes(
  'TrainingChange',
  shape({
    struckReason: maybe(
      withDescription('Strikes the entry out, for ever: it was made in error. It stays in the log.', text(1, 500)),
    ),
  }),
  partial(TrainingFields),
)

export const Training = joinShapes(
  'Training',
  shape({
    _id: id(),
    createdAt: instant(),
    createdBy: id(),
    updatedAt: instant(),
    trial: id(),
    site: id(),
    user: id(),
    userName: withDescription('When the entry was made.', text(0, 200)),
    state: withDescription(
      '`renewed`: there is a later entry for the same person and training, so that it does not matter when this one expires.',
      oneOf(...states),
    ),
    certificateFile: maybe(withDescription('The certificate with its URL; in lists only.', orNull(Attachment))),
    struckAt: orNull(instant()),
    struckBy: orNull(id()),
    struckReason: orNull(text(0, 500)),
  }),
  TrainingFields,
)

export const Trainings = shape('Trainings', {
  trainings: list(Training, PAGE),
  page: whole(1),
  nextPageAvailable: flag(),
})
export const TrainingCsv = shape('TrainingCsv', { csv: text(0, 1_000_000_000) })
