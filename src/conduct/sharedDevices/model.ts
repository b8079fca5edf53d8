/** Tablets that participants use one after another (docs/shared-tablets.md). */

import { ParticipantSubmission } from '#conduct/responses/model'
import { UploadRequest } from '#conduct/uploads/model'
import { TextLanguages } from '#design/translations/textLanguages'
import { reason } from '#kernel/refusals/reason'
import {
  flag,
  id,
  instant,
  joinShapes,
  language,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  partial,
  shape,
  text,
  textWithSpaces,
  whole,
  withDescription,
} from '#wire/schema'

const state = () =>
  withDescription(
    'waiting: nobody has opened its link yet. open: participants can sign in. expired, ended: they cannot any more.',
    oneOf('waiting', 'open', 'expired', 'ended'),
  )
const name = () => withDescription('What staff call it, and what the tablet shows', oneLine(1, 100))
const idleMinutes = () =>
  withDescription('After so many minutes without use, the participant is signed out', whole(1, 30))

export const SharedDeviceInput = shape('SharedDeviceInput', {
  name: name(),
  idleMinutes: maybe(withDescription('Minutes without use until the participant is signed out; 3', whole(1, 30))),
  expiresInDays: maybe(withDescription('Days it can be used; the default is 30', whole(1, 90))),
})

/** `expiresInDays` counts from the change. */
export const SharedDeviceChange = partial(SharedDeviceInput)

export const SharedDevice = shape('SharedDevice', {
  _id: id(),
  createdAt: instant(),
  createdBy: id(),
  site: withDescription('Null: for the participants of all sites, and of none', orNull(id())),
  name: name(),
  idleMinutes: idleMinutes(),
  state: state(),
  expiresAt: instant(),
  openedAt: withDescription('When its link was opened on a tablet', orNull(instant())),
  lastSeenAt: orNull(instant()),
  endedAt: orNull(instant()),
  endedBy: orNull(id()),
})

export const SharedDevices = shape('SharedDevices', { sharedDevices: list(SharedDevice, 1000) })

const link = {
  url: withDescription('Opens the tablet, once. It is shown only now', text(1, 1000)),
  qr: withDescription('The link as a QR code: an SVG image', text(1, 200_000)),
  linkExpiresAt: instant(),
}
export const SharedDeviceLink = shape('SharedDeviceLink', link)
export const NewSharedDevice = joinShapes('NewSharedDevice', SharedDevice, shape(link))

/** The study and the site that a tablet is for, as it shows them before anybody has signed in. */
export const OpenedDevice = shape('OpenedSharedDevice', {
  _id: id(),
  name: name(),
  state: state(),
  idleMinutes: idleMinutes(),
  expiresAt: instant(),
  trial: shape('SharedDeviceTrial', { _id: id(), name: oneLine(0, 500), languages: list(language(), 50) }),
  texts: TextLanguages,
  site: orNull(shape('SharedDeviceSite', { _id: id(), name: oneLine(0, 100) })),
  publicKey: withDescription(
    'The key to which the tablet seals answers: an uncompressed point of P-256, as base64url',
    text(1, 200),
  ),
})

export const DeviceSecret = joinShapes(
  'SharedDeviceSecret',
  shape({ secret: withDescription('The secret of the tablet. It is shown only now', text(43, 43)) }),
  OpenedDevice,
)

export const DeviceSignIn = shape('SharedDeviceSignIn', {
  participantId: maybe(textWithSpaces(1, 50)),
  pin: maybe(text(1, 50)),
  grant: maybe(withDescription('Of a sign-in link, in place of ID and PIN', text(1, 200))),
})

export const DeviceSession = shape('SharedDeviceSession', {
  token: text(1, 100),
  endsAt: withDescription('When the session ends at the latest', instant()),
  idleMinutes: idleMinutes(),
  pass: withDescription(
    'Goes into the envelopes of this session: it proves who was signed in, and when',
    text(1, 1000),
  ),
})

/** What an envelope holds, as JSON. An answer that is a file has the value `{sealedFile, name}`: the id of the file on the tablet, and its name. */
export const SealedEntry = shape({
  entry: text(1, 200),
  pass: text(1, 1000),
  stage: text(1, 50),
  opened: maybe(orNull(text(0, 200))),
  version: maybe(orNull(text(0, 200))),
  response: ParticipantSubmission,
  /** Whether the participant had not sent it when the session ended. */
  unfinished: maybe(flag()),
  /** Whether files of it could not be sent. */
  withoutFiles: maybe(flag()),
})

/** A part of a file, as an envelope holds it. `file`: its id on the tablet; `from`: where in the file the part begins. */
export const SealedPart = shape({
  pass: text(1, 1000),
  file: text(1, 100),
  name: UploadRequest.properties.name,
  size: UploadRequest.properties.size,
  type: UploadRequest.properties.type,
  from: whole(0),
  /** As base64url. */
  bytes: text(1, 1_400_000),
})

export const FilePart = shape('SharedDeviceFilePart', {
  device: withDescription('The tablet that sealed it', id()),
  envelope: withDescription(
    'A part of a file, sealed to `publicKey` (docs/shared-tablets.md, “Sealed answers”)',
    text(1, 2_000_000),
  ),
})

export const FileReceived = shape('SharedDeviceFileReceived', {
  received: withDescription('How many bytes of the file have arrived: the next part begins there', whole(0)),
  isComplete: flag(),
})

export const Envelope = shape('SharedDeviceEnvelope', {
  device: withDescription('The tablet that sealed it', id()),
  envelope: withDescription(
    'An entry, sealed to `publicKey` (docs/shared-tablets.md, “Sealed answers”)',
    text(1, 2_000_000),
  ),
})

export const UnsealedEntry = shape('UnsealedEntry', {
  status: withDescription(
    'stored: it is part of the study data. held: the study team decides. deleted: its participant was deleted.',
    oneOf('stored', 'held', 'deleted'),
  ),
})

const pin = () => withDescription('4 to 8 digits', text(4, 8, { pattern: '^[0-9]*$', problem: reason('notPin') }))

export const PinInput = shape('PinInput', {
  pin: maybe(withDescription('4 to 8 digits; without it, one is made', pin())),
})
export const Pin = shape('Pin', { pin: withDescription('It is shown only now', pin()), setAt: instant() })
export const PinState = shape('PinState', { setAt: withDescription('Null if there is none', orNull(instant())) })
export const OwnPinState = shape('OwnPinState', {
  setAt: withDescription('Null if there is none', orNull(instant())),
  hasTablet: withDescription('Whether there is a shared tablet on which one could sign in', flag()),
})
export const OwnPinInput = shape('OwnPinInput', { pin: pin() })
