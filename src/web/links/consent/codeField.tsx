/** The code that was sent to an address, and another one after a minute. */
import { useEffect, useState } from 'preact/hooks'
import { Button, Field } from '#web/kit/ui/components'
import { useTranslator } from './translator'

/** Milliseconds until another code may be asked for. */
const PAUSE = 60_000

/** Seconds until another code may be asked for. @param since when the last one was, by the clock of this device */
function useCountdown(since: number): number {
  const left = () => Math.min(PAUSE, Math.max(0, since + PAUSE - Date.now()))
  const [now, setNow] = useState(left)
  useEffect(() => {
    setNow(left())
    const timer = setInterval(() => setNow(left()), 1000)
    return () => clearInterval(timer)
  }, [since])
  return Math.ceil(now / 1000)
}

type Props = {
  since: number
  fault: string | undefined
  isBusy: boolean
  /** Asks for another code. */
  onAgain: () => void
  /** Goes back to the address. */
  onOther: () => void
}

export function CodeField({ since, fault, isBusy, onAgain, onOther }: Props) {
  const { t } = useTranslator()
  const seconds = useCountdown(since)
  return (
    <>
      <Field
        label={t('consent.code')}
        note={t('consent.codeNote')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        fault={fault}
      />
      <div class="actions start">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t('consent.verify')}
        </Button>
        <Button isDisabled={seconds > 0} onPress={onAgain}>
          {seconds > 0 ? t('consent.anotherIn', { seconds }) : t('consent.another')}
        </Button>
        <button type="button" class="plain" onClick={onOther}>
          {t('consent.otherAddress')}
        </button>
      </div>
    </>
  )
}
