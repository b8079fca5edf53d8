/** The document that is reviewed, as the server renders it: a frame that may run nothing, a picture, or the browser's own viewer. */
import { useEffect, useState } from 'preact/hooks'
import { localPath } from '#web/kit/api/localPath'
import { Button, ButtonLink, Notice, Skeleton } from '#web/kit/ui/components'
import { useTranslator } from '#web/links/texts'
import { type Preview, readPreview, readReview } from './review'
import { useRenewal } from './useRenewal'

export function Document({ url, title }: { url: string; title: string }) {
  const translator = useTranslator()
  const { t } = translator
  const [preview, setPreview] = useState<Preview>()
  const [links, setLinks] = useState({ file: url, preview: '' })
  const [failure, setFailure] = useState<{ message: string; isAbsent: boolean }>()
  const [attempt, again] = useState(0)
  useEffect(() => {
    setFailure(undefined)
    void readPreview(translator).then((answer) => {
      if (answer.isDone) setPreview(answer.body)
      // Other answers may come from a proxy, or from a server that is busy.
      else setFailure({ message: answer.message, isAbsent: answer.isRefusal === true && answer.status === 400 })
    })
  }, [attempt])
  useRenewal(async () => {
    const [review, rendering] = await Promise.all([readReview(translator), preview && readPreview(translator)])
    if (!review.isDone || rendering?.isDone === false) return false
    setLinks({ file: localPath(review.body.version.url), preview: rendering ? localPath(rendering.body.url) : '' })
    return true
  })
  const address = preview && localPath(preview.url)
  return (
    <section class="card" aria-labelledby="document">
      <h2 id="document">{t('review.document')}</h2>
      {failure && !failure.isAbsent && (
        <Notice kind="warning" title={failure.message} isLive>
          <Button onPress={() => again(attempt + 1)}>{t('site.again')}</Button>
        </Notice>
      )}
      {failure?.isAbsent && (
        <Notice kind="info" title={t('review.noPreview')}>
          {t('review.noPreviewNote')}
        </Notice>
      )}
      {preview && address ? (
        <DocumentView mimeType={preview.mimeType} address={address} title={title} />
      ) : (
        failure === undefined && <Skeleton lines={4} />
      )}
      <div class="actions start">
        <ButtonLink href={links.file}>{t('review.download')}</ButtonLink>
        {address && (
          <a class="button quiet" href={links.preview || address} target="_blank" rel="noopener">
            <span>{t('review.open')}</span>
          </a>
        )}
      </div>
    </section>
  )
}

function DocumentView({ mimeType, address, title }: { mimeType: string; address: string; title: string }) {
  if (mimeType.startsWith('image/')) return <img class="document" src={address} alt={title} />
  // A sandbox would stop the browser's viewer; the server has taken scripts and actions out of the copy.
  if (mimeType.startsWith('application/pdf'))
    return navigator.pdfViewerEnabled ? <iframe class="document" src={address} title={title} /> : null
  return <iframe class="document" src={address} title={title} sandbox="" />
}
