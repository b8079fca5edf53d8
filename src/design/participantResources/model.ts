/** Participant resources on the wire (docs/participants.md, "Resources"). */

import { translationsOf } from '#design/translations/model'
import { TextLanguages } from '#design/translations/textLanguages'
import {
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
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'
import { resourceTypes } from './rules'

const contentField = <T extends Parameters<typeof orNull>[0]>(description: string, schema: T) =>
  maybe(withDescription(description, orNull(schema)))

/** The most resources of a trial. Participants see all of them in one list. */
export const MOST = 500

/** The fields of the content, each of its types only. */
const content = {
  storedName: contentField('Of a file or video: the stored name of a file uploaded for the trial.', text(1, 200)),
  originalName: contentField(
    'Of a file or video: its name for participants; without it, that of the upload.',
    text(1, 300),
  ),
  mimeType: contentField('Of a file or video: that of the upload.', text(1, 200)),
  size: contentField('Of a file or video: bytes, those of the upload.', whole(0)),
  linkUrl: contentField('Of a link: it begins with https:// or http://.', text(1, 2000)),
  youtubeUrl: contentField('Of a youtube video: the link to it.', text(1, 500)),
  html: contentField('Of a text: only what texts need is kept of it.', text(1, 100_000)),
}

export const ResourceInput = shape('ParticipantResourceInput', {
  type: oneOf(...resourceTypes),
  title: text(1, 200),
  description: maybe(orNull(text(0, 2000))),
  index: maybe(withDescription('Position in the list; without it, the end.', whole(0))),
  ...content,
  translations: translationsOf('ResourceTexts', {
    title: text(1, 200),
    description: text(0, 2000),
    html: text(1, 100_000),
  }),
})
export type ResourceInput = ValueOf<typeof ResourceInput>
export const ResourceChange = partial(ResourceInput)

/** What staff and participants see. */
const resourceFields = {
  _id: id(),
  type: oneOf(...resourceTypes),
  title: text(1, 200),
  description: orNull(text(0, 2000)),
  index: whole(0),
  originalName: orNull(text(1, 300)),
  mimeType: orNull(text(1, 200)),
  size: orNull(whole(0)),
  linkUrl: orNull(text(1, 2000)),
  youtubeUrl: orNull(text(1, 500)),
  html: orNull(text(1, 1_000_000)),
  url: withDescription('Of a file or video: downloads it, for one hour.', orNull(text(1, 4000))),
  needsInternet: withDescription('Whether it is elsewhere, so that it cannot be seen without the internet.', flag()),
}

export const OwnResource = shape('OwnResource', resourceFields)
export const OwnResources = shape('OwnResources', { resources: list(OwnResource), texts: TextLanguages })

export const Resource = joinShapes(
  'ParticipantResource',
  shape({
    createdAt: instant(),
    trial: id(),
    storedName: orNull(text(1, 200)),
    translations: translationsOf('ShownResourceTexts', {
      title: text(1, 200),
      description: text(0, 2000),
      html: text(1, 1_000_000),
    }),
  }),
  OwnResource,
)
export const Resources = shape('ParticipantResources', { resources: list(Resource) })
