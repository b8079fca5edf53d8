/** Entries of participants that the study refused, and that wait for a decision (docs/offline.md, "Held entries"). */
import { withoutConsentReason } from '#conduct/consents/required'
import { ParticipantSubmission, SentEntry, SubmissionReceipt } from '#conduct/responses/model'
import {
  anything,
  flag,
  id,
  instant,
  keyed,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

const status = () =>
  withDescription(
    'held: it waits for a decision. accepted: staff entered it. refused: it is no part of the study data.',
    oneOf('held', 'accepted', 'refused'),
  )
const entry = () => withDescription('The id of the entry: the Idempotency-Key of the submission.', text(1, 200))
const code = () => withDescription('`details.code` of the refusal.', text(0, 50, { pattern: '^[A-Za-z]*$' }))

export const NewHeldEntry = shape('NewHeldEntry', {
  entry: entry(),
  stage: withDescription('The stage as in the path of the submission: `<stageId>` or `<stageId>::<n>`.', text(1, 50)),
  response: withDescription('The answers as they were sent, keyed by data type `_id`.', ParticipantSubmission),
  opened: maybe(withDescription('`opened` of the form, as for the submission.', orNull(text(0, 200)))),
  code: maybe(orNull(code())),
  message: maybe(orNull(withDescription('The text of the refusal.', text(0, 2000)))),
})

/** The file `entry.json` in the copy of an entry that a participant has saved on their device (`web/participant/device/savedCopy.ts`). */
export const SavedCopy = shape('SavedCopy', {
  format: oneOf('trialbox-entry'),
  version: whole(2, 2),
  trial: id(),
  participant: id(),
  title: maybe(withDescription('The name of the form.', text(0, 1000))),
  madeAt: maybe(withDescription('When the participant sent it, by the clock of the device.', instant())),
  entry: entry(),
  stage: withDescription('The stage as the device named it: `<stageId>` or `<stageId>::<n>`.', text(1, 50)),
  response: withDescription(
    'The answers keyed by data type `_id`. In place of a file that was not uploaded there is its name in the copy.',
    ParticipantSubmission,
  ),
  code: maybe(orNull(code())),
  message: maybe(orNull(withDescription('The text of the refusal, if the study has refused it.', text(0, 2000)))),
})

/** A held entry as the participant sees it: what became of it, without its answers. */
export const OwnHeldEntry = shape('OwnHeldEntry', {
  _id: id(),
  entry: entry(),
  stage: text(1, 50),
  createdAt: instant(),
  status: status(),
  decidedAt: orNull(instant()),
})

export const OwnHeldEntries = shape('OwnHeldEntries', { heldEntries: list(OwnHeldEntry, 1000) })

const listed = {
  _id: id(),
  createdAt: instant(),
  participant: id(),
  participantId: oneLine(0, 50),
  entry: entry(),
  stage: withDescription('The stage as the device named it.', text(1, 50)),
  code: orNull(code()),
  status: status(),
  decidedAt: orNull(instant()),
  decidedBy: orNull(id()),
  response: withDescription('The response that it was entered into.', orNull(id())),
  broughtBy: withDescription(
    'The member of staff who read it in from a copy that the participant had saved.',
    orNull(id()),
  ),
}

export const HeldEntryFilter = shape({
  status: maybe(status()),
  participant: maybe(id()),
  page: maybe(whole(1, 1_000_000)),
  perPage: maybe(whole(1, 200)),
})

export const HeldEntries = shape('HeldEntries', {
  heldEntries: list(shape('ListedHeldEntry', listed), 200),
  page: whole(1),
  nextPageAvailable: flag(),
})

const HeldAnswer = shape('HeldAnswer', { value: maybe(anything()), createdAt: maybe(orNull(instant())) })

/** A held entry with the answers that the reader may see. */
export const HeldEntry = shape('HeldEntry', {
  ...listed,
  answers: withDescription('The answers as the device sent them, keyed by data type `_id`.', keyed(HeldAnswer)),
  hidden: withDescription('How many answers are hidden from the caller.', whole(0)),
  message: withDescription(
    'The text of the refusal, as the device says. Null if an answer is hidden, as it may quote it.',
    orNull(text(0, 2000)),
  ),
  reason: withDescription(
    'Why it was refused, or the note with which it was entered. Null if an answer is hidden, as it may quote it.',
    orNull(text(0, 5000)),
  ),
})

export const Acceptance = shape('HeldEntryAcceptance', {
  updateNote: withDescription('Why the answers are entered now; it stays with them.', text(1, 5000)),
  response: maybe(
    withDescription('Answers in place of those that were sent, keyed by data type `_id`.', keyed(SentEntry)),
  ),
  withoutConsentReason: withoutConsentReason(),
})

export const AcceptedEntry = SubmissionReceipt

export const Refusal = shape('HeldEntryRefusal', { reason: text(1, 2000) })
