import type { RefObject } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { Button, Notice, Skeleton, showToast } from '#web/kit/ui/components'
import { Enrol, type Secret } from './enrol'
import { ProofForm } from './proof'
import { RecoveryCodes } from './recoveryCodes'
import { type TwoStep, useSession } from './session'
import { useTranslator } from './translator'

/** With so few recovery codes left, the page asks to make new ones. */
const FEW = 3

/** What the page is about to do. */
type Step = { secret: Secret } | { codes: readonly string[] } | 'newCodes' | 'off'

/** Switches two-step sign-in on and off, and makes recovery codes. */
export function Page() {
  const { t } = useTranslator()
  const { send } = useSession()
  const [state, setState] = useState<TwoStep>()
  const [step, setStep] = useState<Step>()
  const [fault, setFault] = useState<string>()

  const load = useCallback(async () => {
    const answer = await send<TwoStep>('GET', '/users/me/totp')
    if (answer.isDone) setState(answer.body)
    else setFault(answer.message)
  }, [send])
  useEffect(() => void load(), [load])

  // Where the focus goes when the person has come back from a step.
  const title = useRef<HTMLHeadingElement>(null)
  const isBack = useRef(false)
  useEffect(() => {
    if (step === undefined && isBack.current) title.current?.focus()
    isBack.current = step !== undefined
  }, [step])

  const begin = async () => {
    setFault(undefined)
    const answer = await send<Secret>('POST', '/users/me/totp')
    if (answer.isDone) return setStep({ secret: answer.body })
    if (answer.status !== 400) return setFault(answer.message)
    // It was switched on in another window: the page shows that.
    await load()
  }
  const makeCodes = async (proof: unknown) => {
    const answer = await send<AnswerOf<'createRecoveryCodes'>>('POST', '/users/me/recovery-codes', proof)
    if (answer.isDone) setStep({ codes: answer.body.recoveryCodes })
    return answer
  }
  const switchOff = async (proof: unknown) => {
    const answer = await send<TwoStep>('DELETE', '/users/me/totp', proof)
    if (answer.isDone) {
      setStep(undefined)
      setState(answer.body)
      showToast(t('twoStep.switchedOff'))
    }
    return answer
  }
  const leave = () => {
    setStep(undefined)
    void load()
  }

  if (!state) return fault ? <Notice kind="fault" title={fault} isLive /> : <Skeleton lines={5} />
  if (typeof step === 'object') {
    if ('codes' in step) return <RecoveryCodes codes={step.codes} onKept={leave} />
    return <Enrol secret={step.secret} onEnabled={(codes) => setStep({ codes })} onCancel={leave} />
  }
  return (
    <>
      {fault && <Notice kind="fault" title={fault} isLive />}
      {state.isOn && <TwoStepOn state={state} title={title} onAsk={step ? undefined : setStep} />}
      {!state.isOn && <TwoStepOff title={title} onBegin={begin} />}
      {step && (
        <ProofForm
          key={step}
          title={t(step === 'off' ? 'twoStep.switchOffTitle' : 'twoStep.newCodes')}
          note={t(step === 'off' ? 'twoStep.switchOffNote' : 'twoStep.newCodesNote')}
          action={
            step === 'off'
              ? { label: t('twoStep.switchOff'), kind: 'danger' }
              : { label: t('twoStep.makeCodes'), kind: 'main' }
          }
          send={step === 'off' ? switchOff : makeCodes}
          onCancel={leave}
        />
      )}
    </>
  )
}

type Title = RefObject<HTMLHeadingElement | null>

function TwoStepOff({ title, onBegin }: { title: Title; onBegin: () => void }) {
  const { t } = useTranslator()
  return (
    <section class="card">
      <h2 ref={title} tabIndex={-1}>
        {t('twoStep.isOff')}
      </h2>
      <p>{t('twoStep.about')}</p>
      <p class="note">{t('twoStep.needs')}</p>
      <div class="actions">
        <Button kind="main" onPress={onBegin}>
          {t('twoStep.begin')}
        </Button>
      </div>
    </section>
  )
}

type TwoStepOnProps = {
  state: TwoStep
  title: Title
  /** Absent while the person is asked already. */
  onAsk: ((step: 'newCodes' | 'off') => void) | undefined
}

function TwoStepOn({ state, title, onAsk }: TwoStepOnProps) {
  const { t, count } = useTranslator()
  const left = count('twoStep.left', state.recoveryCodesLeft)
  return (
    <section class="card">
      <h2 ref={title} tabIndex={-1}>
        {t('twoStep.isOn')}
      </h2>
      {state.recoveryCodesLeft > FEW ? (
        <p>{left}</p>
      ) : (
        <Notice kind="warning" title={left}>
          {t('twoStep.fewLeft')}
        </Notice>
      )}
      <p class="note">{t('twoStep.lost')}</p>
      {onAsk && (
        <div class="actions">
          <Button onPress={() => onAsk('newCodes')}>{t('twoStep.newCodes')}</Button>
          <Button onPress={() => onAsk('off')}>{t('twoStep.switchOff')}</Button>
        </div>
      )}
    </section>
  )
}
