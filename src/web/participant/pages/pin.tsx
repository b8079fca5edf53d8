/** The PIN for the shared tablets of the study, where there are some. */

import type { AnswerOf } from '#web/kit/api/operations'
import type { FailedAnswer } from '#web/kit/api/send'
import { Button, Field, Notice, showToast, useForm } from '#web/kit/ui/components'
import { useCopy } from '#web/participant/device/copies'
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { useTranslator } from '#web/participant/texts'
import { pinFault } from './pinFault'

const PATH = '/participants/me/pin'

type State = AnswerOf<'readOwnPin'>

export function Pin() {
  const translator = useTranslator()
  const { t } = translator
  const { value, refresh } = useCopy<State>(PATH)
  /** What is wrong with the PIN beside its field, and why else it was refused. */
  const withPinFault = (failure: FailedAnswer): FailedAnswer => {
    const pin = pinFault(translator, failure)
    return { ...failure, message: refusalText(failure), fields: pin ? { pin } : {} }
  }
  const { submit, isBusy, faults } = useForm(async ({ pin = '' }, form) => {
    const answer = await askAs('PUT', PATH, { body: { pin } })
    if (!answer.isDone) return withPinFault(answer)
    form.reset()
    showToast(t('pin.saved'))
    await refresh()
    return answer
  })
  if (!value?.hasTablet) return null
  return (
    <form class="card" onSubmit={submit} aria-labelledby="pin-title">
      <h2 id="pin-title">{t('pin.title')}</h2>
      <p>{t('pin.note')}</p>
      {value.setAt !== null && <p class="note">{t('pin.isSet')}</p>}
      <Field
        label={t('pin.new')}
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
          {t('pin.save')}
        </Button>
      </div>
    </form>
  )
}
