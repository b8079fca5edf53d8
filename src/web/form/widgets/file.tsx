import { useEffect, useState } from 'preact/hooks'
import { isKeptFile } from '#web/form/answers/model'
import { useFormContext } from '#web/form/formState'
import { sizeText, typesText } from '#web/form/hint'
import { useTranslator } from '#web/form/translator'
import { common, focusSoon, type WidgetProps } from '#web/form/widget'
import { Button, Fault } from '#web/kit/ui/components'

/** What the server takes, in bytes. */
const [MOST_FILE, MOST_VIDEO] = [30 * 2 ** 20, 5 * 2 ** 30]

const acceptOf: Record<string, string | undefined> = { image: 'image/*', video: 'video/*' }

const chooseOf = (format: string) =>
  format === 'image' ? 'form.choose.image' : format === 'video' ? 'form.choose.video' : 'form.choose.file'

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : undefined

type ChosenFile = { bytes: Blob; name: string }

const isAllowedType = (type: string, allowed: readonly string[]): boolean =>
  allowed.some((each) => (each.endsWith('/*') ? type.startsWith(each.slice(0, -1)) : each === type))

/** A file, a photo or a video. It stays on the device until the form is sent. */
export function FileWidget(props: WidgetProps) {
  const { id, settings, value, change, isReadOnly } = props
  const { t } = useTranslator()
  const { draft, formatValue, countPendingFiles } = useFormContext()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [preview, setPreview] = useState<string>()
  const { format, mimeTypes, maxSize } = settings

  useEffect(() => {
    let url: string | undefined
    let isOver = false
    if (isKeptFile(value) && /^(image|video)\//.test(value.type))
      void draft.fileOf(value).then((bytes) => {
        if (!bytes || isOver) return
        url = URL.createObjectURL(bytes)
        setPreview(url)
      })
    return () => {
      isOver = true
      if (url) URL.revokeObjectURL(url)
      setPreview(undefined)
    }
  }, [isKeptFile(value) ? value.blob : undefined])

  /** The photograph, scaled down to what a screen shows. The original, if the study does not accept the new file type. */
  async function scalePhoto(chosen: File): Promise<ChosenFile> {
    const same = { bytes: chosen, name: chosen.name }
    if (format !== 'image') return same
    const { photoOf } = await import('./photo')
    const photo = await photoOf(chosen)
    return mimeTypes?.length && !isAllowedType(photo.bytes.type, mimeTypes) ? same : photo
  }

  async function take(chosen: File): Promise<void> {
    const file = await scalePhoto(chosen)
    const most = Math.min(
      maxSize ?? Number.POSITIVE_INFINITY,
      file.bytes.type.startsWith('video/') ? MOST_VIDEO : MOST_FILE,
    )
    if (file.bytes.size > most)
      setFault(t('form.tooLarge', { most: sizeText(most, formatValue), size: sizeText(file.bytes.size, formatValue) }))
    else if (mimeTypes?.length && !isAllowedType(file.bytes.type, mimeTypes))
      setFault(t('form.wrongType', { types: typesText(mimeTypes, { t }) }))
    else {
      setFault(undefined)
      change(await draft.keepFile(file.bytes, file.name))
    }
  }

  /** Takes what was chosen. Until it is kept, nothing is sent: a large photo takes a while, and would not be among the answers. */
  async function choose(input: HTMLInputElement): Promise<void> {
    const chosen = input.files?.[0]
    if (!chosen || isBusy) return
    setBusy(true)
    countPendingFiles(1)
    try {
      await take(chosen)
    } catch {
      setFault(t('form.noRoom'))
    }
    setBusy(false)
    countPendingFiles(-1)
    input.value = ''
  }

  const name = nameOf(value)
  return (
    <div class="file">
      {preview && isKeptFile(value) && value.type.startsWith('image/') && <img class="preview" src={preview} alt="" />}
      {preview && isKeptFile(value) && value.type.startsWith('video/') && (
        // A film that somebody took a moment ago has no captions.
        <video class="preview" src={preview} controls>
          <track kind="captions" />
        </video>
      )}
      {name !== undefined && (
        <p class="file-name">
          <bdi>{name}</bdi>
          {isKeptFile(value) && <span class="note"> {sizeText(value.size, formatValue)}</span>}
        </p>
      )}
      {!isReadOnly && (
        <div class="actions start">
          <label class="button file-button">
            {t(name === undefined ? chooseOf(format) : 'form.replace')}
            <input
              {...common(props)}
              type="file"
              class="hidden"
              aria-busy={isBusy ? 'true' : undefined}
              accept={mimeTypes?.join(',') || acceptOf[format]}
              onClick={(event) => isBusy && event.preventDefault()}
              onChange={(event) => void choose(event.currentTarget)}
            />
          </label>
          {name !== undefined && (
            <Button
              label={t('form.removeFile', { name })}
              onPress={() => {
                change(null)
                focusSoon(id)
              }}
            >
              {t('form.remove')}
            </Button>
          )}
        </div>
      )}
      <p class="note" role="status">
        {isBusy && t('form.keeping')}
      </p>
      <div role="alert">
        <Fault id={`${id}-file`} text={fault} />
      </div>
    </div>
  )
}
