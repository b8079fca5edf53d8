/** Entries of participants that the study refused, and that wait for a decision (docs/offline.md, "Held entries"). */
import { withoutConsentReason } from '#conduct/consents/required'
import { ParticipantSubmission, SentEntry, SubmissionReceipt } from '#conduct/responses/model'
import * as t from '#wire/schema'

const status = () =>
  t.withDescription(
    'held: it waits for a decision. accepted: staff entered it. refused: it is no part of the study data.',
    t.oneOf('held', 'accepted', 'refused'),
  )
const entry = () => t.withDescription('The id of the entry: the Idempotency-Key of the submission.', t.text(1, 200))
const code = () => t.withDescription('`details.code` of the refusal.', t.text(0, 50, { pattern: '^[A-Za-z]*$' }))

export const NewHeldEntry = t.shape('NewHeldEntry', {
  entry: entry(),
  stage: t.withDescription(
    'The stage as in the path of the submission: `<stageId>` or `<stageId>::<n>`.',
    t.text(1, 50),
  ),
  response: t.withDescription('The answers as they were sent, keyed by data type `_id`.', ParticipantSubmission),
  opened: t.maybe(t.withDescription('`opened` of the form, as for the submission.', t.orNull(t.text(0, 200)))),
  code: t.maybe(t.orNull(code())),
  message: t.maybe(t.orNull(t.withDescription('The text of the refusal.', t.text(0, 2000)))),
})

/** The file `entry.json` in the copy of an entry that a participant has saved on their device (`web/participant/device/savedCopy.ts`). */
export const SavedCopy = t.shape('SavedCopy', {
  format: t.oneOf('trialbox-entry'),
  version: t.whole(2, 2),
  trial: t.id(),
  participant: t.id(),
  title: t.maybe(t.withDescription('The name of the form.', t.text(0, 1000))),
  madeAt: t.maybe(t.withDescription('When the participant sent it, by the clock of the device.', t.instant())),
  entry: entry(),
  stage: t.withDescription('The stage as the device named it: `<stageId>` or `<stageId>::<n>`.', t.text(1, 50)),
  response: t.withDescription(
    'The answers keyed by data type `_id`. In place of a file that was not uploaded there is its name in the copy.',
    ParticipantSubmission,
  ),
  code: t.maybe(t.orNull(code())),
  message: t.maybe(
    t.orNull(t.withDescription('The text of the refusal, if the study has refused it.', t.text(0, 2000))),
  ),
})

/** A held entry as the participant sees it: what became of it, without its answers. */
export const OwnHeldEntry = t.shape('OwnHeldEntry', {
  _id: t.id(),
  entry: entry(),
  stage: t.text(1, 50),
  createdAt: t.instant(),
  status: status(),
  decidedAt: t.orNull(t.instant()),
})

export const OwnHeldEntries = t.shape('OwnHeldEntries', { heldEntries: t.list(OwnHeldEntry, 1000) })

const listed = {
  _id: t.id(),
  createdAt: t.instant(),
  participant: t.id(),
  participantId: t.oneLine(0, 50),
  entry: entry(),
  stage: t.withDescription('The stage as the device named it.', t.text(1, 50)),
  code: t.orNull(code()),
  status: status(),
  decidedAt: t.orNull(t.instant()),
  decidedBy: t.orNull(t.id()),
  response: t.withDescription('The response that it was entered into.', t.orNull(t.id())),
  broughtBy: t.withDescription(
    'The member of staff who read it in from a copy that the participant had saved.',
    t.orNull(t.id()),
  ),
}

export const HeldEntryFilter = t.shape({
  status: t.maybe(status()),
  participant: t.maybe(t.id()),
  page: t.maybe(t.whole(1, 1_000_000)),
  perPage: t.maybe(t.whole(1, 200)),
})

export const HeldEntries = t.shape('HeldEntries', {
  heldEntries: t.list(t.shape('ListedHeldEntry', listed), 200),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})

const HeldAnswer = t.shape('HeldAnswer', { value: t.maybe(t.anything()), createdAt: t.maybe(t.orNull(t.instant())) })

/** A held entry with the answers that the reader may see. */
export const HeldEntry = t.shape('HeldEntry', {
  ...listed,
  answers: t.withDescription('The answers as the device sent them, keyed by data type `_id`.', t.keyed(HeldAnswer)),
  hidden: t.withDescription('How many answers are hidden from the caller.', t.whole(0)),
  message: t.withDescription(
    'The text of the refusal, as the device says. Null if an answer is hidden, as it may quote it.',
    t.orNull(t.text(0, 2000)),
  ),
  reason: t.withDescription(
    'Why it was refused, or the note with which it was entered. Null if an answer is hidden, as it may quote it.',
    t.orNull(t.text(0, 5000)),
  ),
})

export const Acceptance = t.shape('HeldEntryAcceptance', {
  updateNote: t.withDescription('Why the answers are entered now; it stays with them.', t.text(1, 5000)),
  response: t.maybe(
    t.withDescription('Answers in place of those that were sent, keyed by data type `_id`.', t.keyed(SentEntry)),
  ),
  withoutConsentReason: withoutConsentReason(),
})

export const AcceptedEntry = SubmissionReceipt

export const Refusal = t.shape('HeldEntryRefusal', { reason: t.text(1, 2000) })
