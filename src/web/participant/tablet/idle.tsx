/** Ends a session that nobody uses, after a question that counts down. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '#web/kit/ui/components'
import { drafts } from '#web/participant/device/drafts'
import { askAs } from '#web/participant/device/request'
import { endSession, limits } from './session'
import type { Translator } from './texts'

/** In milliseconds: length of the countdown; interval of checks; interval of reports of activity to the server. */
const [COUNTDOWN, CHECK_INTERVAL, REPORT_INTERVAL] = [30_000, 500, 20_000]
const INPUT_EVENTS = ['pointerdown', 'keydown', 'input', 'wheel', 'touchmove'] as const

/** Seconds that are left, once it is counted down; undefined before. */
function useCountdown(): { left: number | undefined; stay: () => void } {
  const [left, setLeft] = useState<number>()
  const usedAt = useRef(Date.now())
  const reportedAt = useRef(Date.now())
  const isAsking = useRef(false)
  useEffect(() => {
    const use = () => {
      // While the question is shown, only its answer counts.
      if (!isAsking.current) usedAt.current = Date.now()
    }
    const look = () => {
      const now = Date.now()
      const ends = Math.min(usedAt.current + limits.idle, limits.endsAt)
      if (now >= ends) return void endSession()
      isAsking.current = now >= ends - COUNTDOWN
      setLeft(isAsking.current ? Math.ceil((ends - now) / 1000) : undefined)
      // The server counts from the last request.
      if (usedAt.current > reportedAt.current && now - reportedAt.current >= REPORT_INTERVAL) {
        reportedAt.current = now
        void askAs('GET', '/participants/me/pin')
      }
    }
    const timer = setInterval(look, CHECK_INTERVAL)
    for (const each of INPUT_EVENTS) addEventListener(each, use, { passive: true, capture: true })
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      for (const each of INPUT_EVENTS) removeEventListener(each, use, { capture: true })
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  const stay = () => {
    isAsking.current = false
    usedAt.current = Date.now()
    setLeft(undefined)
  }
  return { left, stay }
}

export function Idle({ translator }: { translator: Translator }) {
  const { left, stay } = useCountdown()
  return left === undefined ? null : <Question translator={translator} left={left} onStay={stay} />
}

function Question({
  translator: { t, count },
  left,
  onStay,
}: {
  translator: Translator
  left: number
  onStay: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // Said each ten seconds, not each second.
  const announcedSeconds = Math.ceil(left / 10) * 10
  return (
    <dialog
      ref={dialog}
      class="dialog"
      role="alertdialog"
      aria-labelledby="idle"
      aria-describedby="idle-note"
      onClose={onStay}
    >
      <h2 id="idle">{t('tablet.idle')}</h2>
      <div class="dialog-body" id="idle-note">
        <p aria-hidden="true">{count('tablet.idleNote', left)}</p>
        <p class="hidden" role="status">
          {count('tablet.idleNote', announcedSeconds)}
        </p>
        {drafts.value.length > 0 && <p>{t('tablet.idleDrafts')}</p>}
      </div>
      <div class="actions">
        <Button kind="main" onPress={() => dialog.current?.close()}>
          {t('tablet.stay')}
        </Button>
      </div>
    </dialog>
  )
}
