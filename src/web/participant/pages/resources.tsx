/** What the study gives its participants to read, watch and keep. */

import type { AnswerOf } from '#web/kit/api/operations'
import { studyText } from '#web/kit/language/studyText'
import { EmptyState } from '#web/kit/ui/components'
import { Rich } from '#web/kit/ui/rich'
import { StudyText } from '#web/kit/ui/studyText'
import { useCopy } from '#web/participant/device/copies'
import { person } from '#web/participant/device/session'
import { useTranslator } from '#web/participant/texts'
import { richText } from '#wire/richText'
import type { Resource } from './apiTypes'
import { Glyph, type GlyphName } from './glyph'
import { CopyContent, Page as Frame, RefreshButton } from './page'
import { sizeText } from './sizes'

export function Page() {
  const { t } = useTranslator()
  const copy = useCopy<AnswerOf<'listOwnResources'>>(`/participants/trials/${person.value?.trial}/resources`)
  return (
    <Frame
      title={t('app.resources')}
      action={<RefreshButton isLoading={copy.isLoading} onPress={() => void copy.refresh()} />}
    >
      <CopyContent copy={copy}>
        {({ resources }) =>
          resources.length ? (
            resources.map((each) => <ResourceCard key={each._id} resource={each} />)
          ) : (
            <div class="card">
              <EmptyState icon="inbox" title={t('resources.none')} note={t('resources.noneNote')} />
            </div>
          )
        }
      </CopyContent>
    </Frame>
  )
}

const icons: Record<Resource['type'], GlyphName> = {
  file: 'file',
  link: 'link',
  video: 'play',
  youtube: 'play',
  text: 'book',
}

function ResourceCard({ resource }: { resource: Resource }) {
  const { t } = useTranslator()
  const { type, title, description, needsInternet, html } = resource
  return (
    <section class="card resource">
      <h2 {...studyText(title)}>
        <Glyph name={icons[type]} />
        {title}
      </h2>
      {description && (
        <p class="description" {...studyText(description)}>
          {description}
        </p>
      )}
      {type === 'text' && html && (
        <details class="fold">
          <summary>{t('resources.read')}</summary>
          <div class="rich" {...studyText(html)}>
            <Rich nodes={richText(html)} />
          </div>
        </details>
      )}
      <Content resource={resource} />
      {needsInternet && (
        <p class="note">
          <Glyph name="globe" /> {t('resources.internet')}
        </p>
      )}
    </section>
  )
}

/** The address within this server: it may be reached by another name than its own. */
function localPath(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

function Content({ resource }: { resource: Resource }) {
  const { t, language } = useTranslator()
  const { type, url, linkUrl, youtubeUrl, originalName, size, title } = resource
  if (type === 'video' && url)
    return (
      // biome-ignore lint/a11y/useMediaCaption: the study uploads a film without a track of captions.
      <video controls preload="metadata" src={localPath(url)} aria-label={title} lang={studyText(title).lang} />
    )
  const outside = type === 'link' ? linkUrl : type === 'youtube' ? youtubeUrl : null
  if (outside)
    return (
      <a class="button" href={outside} target="_blank" rel="noreferrer noopener">
        <Glyph name={type === 'link' ? 'link' : 'play'} />
        <bdi>{t(type === 'link' ? 'resources.open' : 'resources.watch')}</bdi>
      </a>
    )
  if (type !== 'file' || !url) return null
  return (
    <a class="button" href={localPath(url)} target="_blank" rel="noreferrer">
      <Glyph name="file" />
      <span>
        <StudyText text={originalName ?? title} />
        {size !== null && <span class="optional"> ({sizeText(language, size)})</span>}
      </span>
    </a>
  )
}
