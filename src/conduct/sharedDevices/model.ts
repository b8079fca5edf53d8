/** Tablets that participants use one after another (docs/shared-tablets.md). */

import { ParticipantSubmission } from '#conduct/responses/model'
import { UploadRequest } from '#conduct/uploads/model'
import { TextLanguages } from '#design/translations/textLanguages'
import { reason } from '#kernel/refusals/reason'
import * as t from '#wire/schema'

const state = () =>
  t.withDescription(
    'waiting: nobody has opened its link yet. open: participants can sign in. expired, ended: they cannot any more.',
    t.oneOf('waiting', 'open', 'expired', 'ended'),
  )
const name = () => t.withDescription('What staff call it, and what the tablet shows', t.oneLine(1, 100))
const idleMinutes = () =>
  t.withDescription('After so many minutes without use, the participant is signed out', t.whole(1, 30))

export const SharedDeviceInput = t.shape('SharedDeviceInput', {
  name: name(),
  idleMinutes: t.maybe(t.withDescription('Minutes without use until the participant is signed out; 3', t.whole(1, 30))),
  expiresInDays: t.maybe(t.withDescription('Days it can be used; the default is 30', t.whole(1, 90))),
})

/** `expiresInDays` counts from the change. */
export const SharedDeviceChange = t.partial(SharedDeviceInput)

export const SharedDevice = t.shape('SharedDevice', {
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.id(),
  site: t.withDescription('Null: for the participants of all sites, and of none', t.orNull(t.id())),
  name: name(),
  idleMinutes: idleMinutes(),
  state: state(),
  expiresAt: t.instant(),
  openedAt: t.withDescription('When its link was opened on a tablet', t.orNull(t.instant())),
  lastSeenAt: t.orNull(t.instant()),
  endedAt: t.orNull(t.instant()),
  endedBy: t.orNull(t.id()),
})

export const SharedDevices = t.shape('SharedDevices', { sharedDevices: t.list(SharedDevice, 1000) })

const link = {
  url: t.withDescription('Opens the tablet, once. It is shown only now', t.text(1, 1000)),
  qr: t.withDescription('The link as a QR code: an SVG image', t.text(1, 200_000)),
  linkExpiresAt: t.instant(),
}
export const SharedDeviceLink = t.shape('SharedDeviceLink', link)
export const NewSharedDevice = t.joinShapes('NewSharedDevice', SharedDevice, t.shape(link))

/** The study and the site that a tablet is for, as it shows them before anybody has signed in. */
export const OpenedDevice = t.shape('OpenedSharedDevice', {
  _id: t.id(),
  name: name(),
  state: state(),
  idleMinutes: idleMinutes(),
  expiresAt: t.instant(),
  trial: t.shape('SharedDeviceTrial', { _id: t.id(), name: t.oneLine(0, 500), languages: t.list(t.language(), 50) }),
  texts: TextLanguages,
  site: t.orNull(t.shape('SharedDeviceSite', { _id: t.id(), name: t.oneLine(0, 100) })),
  publicKey: t.withDescription(
    'The key to which the tablet seals answers: an uncompressed point of P-256, as base64url',
    t.text(1, 200),
  ),
})

export const DeviceSecret = t.joinShapes(
  'SharedDeviceSecret',
  t.shape({ secret: t.withDescription('The secret of the tablet. It is shown only now', t.text(43, 43)) }),
  OpenedDevice,
)

export const DeviceSignIn = t.shape('SharedDeviceSignIn', {
  participantId: t.maybe(t.textWithSpaces(1, 50)),
  pin: t.maybe(t.text(1, 50)),
  grant: t.maybe(t.withDescription('Of a sign-in link, in place of ID and PIN', t.text(1, 200))),
})

export const DeviceSession = t.shape('SharedDeviceSession', {
  token: t.text(1, 100),
  endsAt: t.withDescription('When the session ends at the latest', t.instant()),
  idleMinutes: idleMinutes(),
  pass: t.withDescription(
    'Goes into the envelopes of this session: it proves who was signed in, and when',
    t.text(1, 1000),
  ),
})

/** What an envelope holds, as JSON. An answer that is a file has the value `{sealedFile, name}`: the id of the file on the tablet, and its name. */
export const SealedEntry = t.shape({
  entry: t.text(1, 200),
  pass: t.text(1, 1000),
  stage: t.text(1, 50),
  opened: t.maybe(t.orNull(t.text(0, 200))),
  version: t.maybe(t.orNull(t.text(0, 200))),
  response: ParticipantSubmission,
  /** Whether the participant had not sent it when the session ended. */
  unfinished: t.maybe(t.flag()),
  /** Whether files of it could not be sent. */
  withoutFiles: t.maybe(t.flag()),
})

/** A part of a file, as an envelope holds it. `file`: its id on the tablet; `from`: where in the file the part begins. */
export const SealedPart = t.shape({
  pass: t.text(1, 1000),
  file: t.text(1, 100),
  name: UploadRequest.properties.name,
  size: UploadRequest.properties.size,
  type: UploadRequest.properties.type,
  from: t.whole(0),
  /** As base64url. */
  bytes: t.text(1, 1_400_000),
})

export const FilePart = t.shape('SharedDeviceFilePart', {
  device: t.withDescription('The tablet that sealed it', t.id()),
  envelope: t.withDescription(
    'A part of a file, sealed to `publicKey` (docs/shared-tablets.md, “Sealed answers”)',
    t.text(1, 2_000_000),
  ),
})

export const FileReceived = t.shape('SharedDeviceFileReceived', {
  received: t.withDescription('How many bytes of the file have arrived: the next part begins there', t.whole(0)),
  isComplete: t.flag(),
})

export const Envelope = t.shape('SharedDeviceEnvelope', {
  device: t.withDescription('The tablet that sealed it', t.id()),
  envelope: t.withDescription(
    'An entry, sealed to `publicKey` (docs/shared-tablets.md, “Sealed answers”)',
    t.text(1, 2_000_000),
  ),
})

export const UnsealedEntry = t.shape('UnsealedEntry', {
  status: t.withDescription(
    'stored: it is part of the study data. held: the study team decides. deleted: its participant was deleted.',
    t.oneOf('stored', 'held', 'deleted'),
  ),
})

const pin = () => t.withDescription('4 to 8 digits', t.text(4, 8, { pattern: '^[0-9]*$', problem: reason('notPin') }))

export const PinInput = t.shape('PinInput', {
  pin: t.maybe(t.withDescription('4 to 8 digits; without it, one is made', pin())),
})
export const Pin = t.shape('Pin', { pin: t.withDescription('It is shown only now', pin()), setAt: t.instant() })
export const PinState = t.shape('PinState', {
  setAt: t.withDescription('Null if there is none', t.orNull(t.instant())),
})
export const OwnPinState = t.shape('OwnPinState', {
  setAt: t.withDescription('Null if there is none', t.orNull(t.instant())),
  hasTablet: t.withDescription('Whether there is a shared tablet on which one could sign in', t.flag()),
})
export const OwnPinInput = t.shape('OwnPinInput', { pin: pin() })
