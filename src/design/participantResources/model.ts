/** Participant resources on the wire (docs/participants.md, "Resources"). */

import { translationsOf } from '#design/translations/model'
import { TextLanguages } from '#design/translations/textLanguages'
import * as t from '#wire/schema'
import { resourceTypes } from './rules'

const contentField = <T extends Parameters<typeof t.orNull>[0]>(description: string, schema: T) =>
  t.maybe(t.withDescription(description, t.orNull(schema)))

/** The most resources of a trial. Participants see all of them in one list. */
export const MOST = 500

/** The fields of the content, each of its types only. */
const content = {
  storedName: contentField('Of a file or video: the stored name of a file uploaded for the trial.', t.text(1, 200)),
  originalName: contentField(
    'Of a file or video: its name for participants; without it, that of the upload.',
    t.text(1, 300),
  ),
  mimeType: contentField('Of a file or video: that of the upload.', t.text(1, 200)),
  size: contentField('Of a file or video: bytes, those of the upload.', t.whole(0)),
  linkUrl: contentField('Of a link: it begins with https:// or http://.', t.text(1, 2000)),
  youtubeUrl: contentField('Of a youtube video: the link to it.', t.text(1, 500)),
  html: contentField('Of a text: only what texts need is kept of it.', t.text(1, 100_000)),
}

export const ResourceInput = t.shape('ParticipantResourceInput', {
  type: t.oneOf(...resourceTypes),
  title: t.text(1, 200),
  description: t.maybe(t.orNull(t.text(0, 2000))),
  index: t.maybe(t.withDescription('Position in the list; without it, the end.', t.whole(0))),
  ...content,
  translations: translationsOf('ResourceTexts', {
    title: t.text(1, 200),
    description: t.text(0, 2000),
    html: t.text(1, 100_000),
  }),
})
export type ResourceInput = t.ValueOf<typeof ResourceInput>
export const ResourceChange = t.partial(ResourceInput)

/** What staff and participants see. */
const resourceFields = {
  _id: t.id(),
  type: t.oneOf(...resourceTypes),
  title: t.text(1, 200),
  description: t.orNull(t.text(0, 2000)),
  index: t.whole(0),
  originalName: t.orNull(t.text(1, 300)),
  mimeType: t.orNull(t.text(1, 200)),
  size: t.orNull(t.whole(0)),
  linkUrl: t.orNull(t.text(1, 2000)),
  youtubeUrl: t.orNull(t.text(1, 500)),
  html: t.orNull(t.text(1, 1_000_000)),
  url: t.withDescription('Of a file or video: downloads it, for one hour.', t.orNull(t.text(1, 4000))),
  needsInternet: t.withDescription(
    'Whether it is elsewhere, so that it cannot be seen without the internet.',
    t.flag(),
  ),
}

const OwnResource = t.shape('OwnResource', resourceFields)
export const OwnResources = t.shape('OwnResources', { resources: t.list(OwnResource), texts: TextLanguages })

export const Resource = t.joinShapes(
  'ParticipantResource',
  t.shape({
    createdAt: t.instant(),
    trial: t.id(),
    storedName: t.orNull(t.text(1, 200)),
    translations: translationsOf('ShownResourceTexts', {
      title: t.text(1, 200),
      description: t.text(0, 2000),
      html: t.text(1, 1_000_000),
    }),
  }),
  OwnResource,
)
export const Resources = t.shape('ParticipantResources', { resources: t.list(Resource) })
