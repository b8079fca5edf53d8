/** The photo of an identity document, from the camera or a file. */
import { useEffect, useState } from 'preact/hooks'
import { Fault, Notice, Progress } from '#web/kit/ui/components'
import { sendPhoto } from './sendPhoto'
import { StepActions } from './stepActions'
import { useTranslator } from './translator'
import { useFaults } from './useFaults'
import type { Flow } from './useFlow'

/** On a phone or a tablet: the camera opens at once. */
const hasCamera = () => matchMedia('(pointer: coarse)').matches

export function Photo({ flow }: { flow: Flow }) {
  const { t } = useTranslator()
  const { session, ask, update, next, handleFailure } = flow
  const { hasPhoto } = session
  const { form, faults, setFaults } = useFaults()
  const [share, setShare] = useState<number>()
  const [preview, setPreview] = useState<string>()
  useEffect(() => () => preview && URL.revokeObjectURL(preview), [preview])

  async function take(input: HTMLInputElement): Promise<void> {
    const [chosen] = input.files ?? []
    input.value = ''
    if (!chosen || share !== undefined) return
    setFaults({})
    setShare(0)
    const outcome = await sendPhoto(ask, chosen, setShare)
    setShare(undefined)
    if (outcome.kind === 'sent') {
      setPreview(URL.createObjectURL(outcome.preview))
      return update({ hasPhoto: true })
    }
    const words = {
      type: () => t('consent.photoType'),
      large: () => t('consent.photoLarge'),
      lost: () => t('consent.photoFailed'),
    }
    setFaults({ photo: outcome.kind === 'refused' ? handleFailure(outcome.failure) : words[outcome.kind]() })
  }
  function submit(event: Event): void {
    event.preventDefault()
    if (hasPhoto && share === undefined) next()
    else if (share === undefined) setFaults({ photo: t('consent.needsPhoto') })
  }
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <p class="lead">{t('consent.photoLead')}</p>
      <section class="card">
        <p>{t('consent.photoTips')}</p>
        {preview && <img class="preview" src={preview} alt={t('consent.photoAlt')} />}
        {share !== undefined && <Progress label={t('consent.uploading')} share={share} />}
        {hasPhoto && share === undefined && (
          <Notice kind="success" isLive>
            {t(preview ? 'consent.photoSent' : 'consent.photoKept')}
          </Notice>
        )}
        {share === undefined && (
          <div class="actions start">
            {hasCamera() && <Choose label={t('consent.camera')} isCamera isFaulty={!!faults.photo} onChosen={take} />}
            <Choose label={t('consent.file')} isFaulty={!!faults.photo} onChosen={take} />
          </div>
        )}
        <Fault id="photo-fault" text={faults.photo} />
      </section>
      <StepActions flow={flow} />
    </form>
  )
}

type ChooseProps = {
  label: string
  isCamera?: boolean
  isFaulty: boolean
  onChosen: (input: HTMLInputElement) => Promise<void>
}

const Choose = ({ label, isCamera, isFaulty, onChosen }: ChooseProps) => (
  <label class="button file-button">
    {label}
    <input
      type="file"
      accept="image/*"
      capture={isCamera ? 'environment' : undefined}
      class="hidden"
      aria-invalid={isFaulty ? 'true' : undefined}
      aria-describedby={isFaulty ? 'photo-fault' : undefined}
      onChange={({ currentTarget }) => void onChosen(currentTarget)}
    />
  </label>
)
