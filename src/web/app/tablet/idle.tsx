/** Ends a session that nobody uses, after a question that counts down. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { drafts } from '#web/app/device/drafts'
import { askAs } from '#web/app/device/request'
import { Button } from '#web/ui/components'
import { end, limits } from './session'
import type { Speaker } from './texts'

/** Milliseconds for which is counted down; between two looks at the clock; between two signs of life to the server. */
const [COUNTED, LOOKS, SIGNS] = [30_000, 500, 20_000]
const USES = ['pointerdown', 'keydown', 'input', 'wheel', 'touchmove'] as const

/** Seconds that are left, once it is counted down; undefined before. */
function useCountdown(): { left: number | undefined; stay: () => void } {
  const [left, setLeft] = useState<number>()
  const used = useRef(Date.now())
  const told = useRef(Date.now())
  const isAsking = useRef(false)
  useEffect(() => {
    const use = () => {
      // While the question is shown, only its answer counts.
      if (!isAsking.current) used.current = Date.now()
    }
    const look = () => {
      const now = Date.now()
      const ends = Math.min(used.current + limits.idle, limits.endsAt)
      if (now >= ends) return void end()
      isAsking.current = now >= ends - COUNTED
      setLeft(isAsking.current ? Math.ceil((ends - now) / 1000) : undefined)
      // The server counts from the last request.
      if (used.current > told.current && now - told.current >= SIGNS) {
        told.current = now
        void askAs('GET', '/participants/me/pin')
      }
    }
    const timer = setInterval(look, LOOKS)
    for (const each of USES) addEventListener(each, use, { passive: true, capture: true })
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      for (const each of USES) removeEventListener(each, use, { capture: true })
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  const stay = () => {
    isAsking.current = false
    used.current = Date.now()
    setLeft(undefined)
  }
  return { left, stay }
}

export function Idle({ speaker }: { speaker: Speaker }) {
  const { left, stay } = useCountdown()
  return left === undefined ? null : <Question speaker={speaker} left={left} onStay={stay} />
}

function Question({ speaker: { say, count }, left, onStay }: { speaker: Speaker; left: number; onStay: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // Said each ten seconds, not each second.
  const spoken = Math.ceil(left / 10) * 10
  return (
    <dialog
      ref={dialog}
      class="dialog"
      role="alertdialog"
      aria-labelledby="idle"
      aria-describedby="idle-note"
      onClose={onStay}
    >
      <h2 id="idle">{say('tablet.idle')}</h2>
      <div class="dialog-body" id="idle-note">
        <p aria-hidden="true">{count('tablet.idleNote', left)}</p>
        <p class="hidden" role="status">
          {count('tablet.idleNote', spoken)}
        </p>
        {drafts.value.length > 0 && <p>{say('tablet.idleDrafts')}</p>}
      </div>
      <div class="actions">
        <Button kind="main" onPress={() => dialog.current?.close()}>
          {say('tablet.stay')}
        </Button>
      </div>
    </dialog>
  )
}
