/** The PIN for the shared tablets of the study, where there are some. */
import { useCopy } from '#web/app/device/copies'
import { inWords } from '#web/app/device/refused'
import { askAs } from '#web/app/device/request'
import { useSpeaker } from '#web/app/speaking'
import { Button, Field, Notice, showToast, useForm } from '#web/ui/components'

const PATH = '/participants/me/pin'

type State = { setAt: string | null; hasTablet: boolean }

export function Pin() {
  const { say } = useSpeaker()
  const { value, refresh } = useCopy<State>(PATH)
  const { submit, isBusy, faults } = useForm(async ({ pin = '' }, form) => {
    const answer = await askAs('PUT', PATH, { body: { pin } })
    if (answer.isDone) {
      form.reset()
      showToast(say('pin.saved'))
      await refresh()
    }
    return inWords(answer)
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
