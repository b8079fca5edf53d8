/** What each type of participant resource holds, and what its addresses may be. */
import { type Reason, reason } from '#kernel/refusals/reason'

export const resourceTypes = ['file', 'link', 'youtube', 'video', 'text'] as const
export type ResourceType = (typeof resourceTypes)[number]

/** The field that holds the content of each type. */
export const contentOf = {
  file: 'storedName',
  video: 'storedName',
  link: 'linkUrl',
  youtube: 'youtubeUrl',
  text: 'html',
} as const satisfies Record<ResourceType, string>

const uploadFields = ['originalName', 'mimeType', 'size'] as const

/** The fields that belong to some types only. */
const contentFields = ['storedName', ...uploadFields, 'linkUrl', 'youtubeUrl', 'html'] as const
export type Content = Partial<Record<(typeof contentFields)[number], string | number | null>>

/** The types that have this field. */
const typesOf = (field: (typeof contentFields)[number]): ResourceType[] =>
  resourceTypes.filter((type) => {
    const own = contentOf[type]
    return own === field || (own === 'storedName' && uploadFields.some((each) => each === field))
  })

const urlOf = (text: string): URL | undefined => {
  const url = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text) ? new URL(text) : undefined
  return url && url.username === '' && url.password === '' ? url : undefined
}

/** Whether a text is an address on the web, without a name and password in it. */
const isLink = (text: string): boolean => urlOf(text) !== undefined

/** Whether a text is the address of a video on YouTube. */
function isYoutube(text: string): boolean {
  const url = urlOf(text)
  if (url?.port !== '') return false
  const isVideo = (id: string | null | undefined) => /^[\w-]{11}$/.test(id ?? '')
  const [, first, second] = url.pathname.split('/')
  if (url.hostname === 'youtu.be') return isVideo(first)
  if (!/^(www\.|m\.)?(youtube|youtube-nocookie)\.com$/.test(url.hostname)) return false
  if (first === 'watch') return isVideo(url.searchParams.get('v'))
  return ['embed', 'shorts', 'live'].includes(first ?? '') && isVideo(second)
}

/**
 * What is wrong with the content of a resource of this type, by field; empty if nothing is.
 * @param isNew whether the content must be there
 */
export function contentProblems(type: ResourceType, content: Content, isNew: boolean): Record<string, Reason[]> {
  const problems: Record<string, Reason[]> = {}
  const own = contentOf[type]
  if (content[own] == null && (isNew || content[own] === null)) problems[own] = [reason('missing')]
  for (const field of contentFields) {
    const types = typesOf(field)
    if (content[field] != null && !types.includes(type)) problems[field] = [reason('onlyWithTypes', { types })]
  }
  const { linkUrl, youtubeUrl } = content
  if (typeof linkUrl === 'string' && !isLink(linkUrl)) problems.linkUrl ??= [reason('notLink')]
  if (typeof youtubeUrl === 'string' && !isYoutube(youtubeUrl)) problems.youtubeUrl ??= [reason('notYoutubeLink')]
  return problems
}

/** Whether participants need the internet for a resource: it is on YouTube, or a link away from this service. */
export const needsInternet = (type: ResourceType, linkUrl: string | null, publicUrl: string): boolean =>
  type === 'youtube' || (type === 'link' && urlOf(linkUrl ?? '')?.origin !== new URL(publicUrl).origin)
