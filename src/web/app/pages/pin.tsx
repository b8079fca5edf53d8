/** The PIN for the shared tablets of the study, where there are some. */
import { useCopy } from '#web/app/device/copies'
import { refusedWith } from '#web/app/device/refused'
import { askAs } from '#web/app/device/request'
import { useSpeaker } from '#web/app/speaking'
import type { Answer } from '#web/common/api'
import { Button, Field, Notice, showToast, useForm } from '#web/ui/components'
import { pinFault } from './pinFault'

const PATH = '/participants/me/pin'

type Refused = Extract<Answer<never>, { isDone: false }>
type State = { setAt: string | null; hasTablet: boolean }

export function Pin() {
  const speaker = useSpeaker()
  const { say } = speaker
  const { value, refresh } = useCopy<State>(PATH)
  /** What is wrong with the PIN beside its field, and why else it was refused. */
  const inWords = (failure: Refused): Refused => {
    const pin = pinFault(speaker, failure)
    return { ...failure, message: refusedWith(failure), fields: pin ? { pin } : {} }
  }
  const { submit, isBusy, faults } = useForm(async ({ pin = '' }, form) => {
    const answer = await askAs('PUT', PATH, { body: { pin } })
    if (!answer.isDone) return inWords(answer)
    form.reset()
    showToast(say('pin.saved'))
    await refresh()
    return answer
  })
  if (!value?.hasTablet) return null
  return (
    <form class="card" onSubmit={submit} aria-labelledby="pin-title">
      <h2 id="pin-title">{say('pin.title')}</h2>
      <p>{say('pin.note')}</p>
      {value.setAt !== null && <p class="note">{say('pin.isSet')}</p>}
      <Field
        label={say('pin.new')}
        name="pin"
        inputMode="numeric"
        minLength={4}
        maxLength={8}
        autoComplete="off"
        fault={faults.fields.pin}
      />
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {say('pin.save')}
        </Button>
      </div>
    </form>
  )
}
