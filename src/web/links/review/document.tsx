/** The document that is reviewed, as the server renders it: a frame that may run nothing, a picture, or the browser's own viewer. */
import { useEffect, useState } from 'preact/hooks'
import { ButtonLink, Notice, Skeleton } from '#web/ui/components'
import { useSpeaker } from '../speaking'
import { here, type Preview, readPreview } from './review'

export function Document({ url, title }: { url: string; title: string }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const [preview, setPreview] = useState<Preview>()
  const [isAbsent, setAbsent] = useState(false)
  useEffect(() => {
    void readPreview(speaker).then((answer) => (answer.isDone ? setPreview(answer.body) : setAbsent(true)))
  }, [])
  const address = preview && here(preview.url)
  return (
    <section class="card" aria-labelledby="document">
      <h2 id="document">{say('review.document')}</h2>
      {isAbsent && (
        <Notice kind="info" title={say('review.noPreview')}>
          {say('review.noPreviewNote')}
        </Notice>
      )}
      {preview && address ? (
        <Shown mimeType={preview.mimeType} address={address} title={title} />
      ) : (
        !isAbsent && <Skeleton lines={4} />
      )}
      <div class="actions start">
        <ButtonLink href={url}>{say('review.download')}</ButtonLink>
        {address && (
          <a class="button quiet" href={address} target="_blank" rel="noopener">
            <span>{say('review.open')}</span>
          </a>
        )}
      </div>
    </section>
  )
}

function Shown({ mimeType, address, title }: { mimeType: string; address: string; title: string }) {
  if (mimeType.startsWith('image/')) return <img class="document" src={address} alt={title} />
  // A sandbox would stop the browser's viewer; the server has taken scripts and actions out of the copy.
  if (mimeType.startsWith('application/pdf'))
    return navigator.pdfViewerEnabled ? <iframe class="document" src={address} title={title} /> : null
  return <iframe class="document" src={address} title={title} sandbox="" />
}
