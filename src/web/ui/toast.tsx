import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from './icon'
import { useSpeaker } from './speaking'

type Toast = { id: number; text: string; kind: 'success' | 'info' }

/** How long a message stays, in milliseconds. Nothing that a person must read is told by a toast alone. */
const SHOWN_MS = 8_000

const toasts = signal<readonly Toast[]>([])
let count = 0

/** Says in passing that something was done. */
export function showToast(text: string, kind: Toast['kind'] = 'success'): void {
  toasts.value = [...toasts.value.slice(-2), { id: ++count, text, kind }]
}

const dismiss = (id: number) => {
  toasts.value = toasts.value.filter((each) => each.id !== id)
}

/** The place of the messages: once in a page. Screen readers say what appears in it. */
export function Toasts() {
  const { say } = useSpeaker()
  return (
    <section class="toasts" aria-label={say('toast.messages')} aria-live="polite">
      {toasts.value.map((toast) => (
        <Shown key={toast.id} toast={toast} label={say('toast.dismiss')} />
      ))}
    </section>
  )
}

function Shown({ toast: { id, text, kind }, label }: { toast: Toast; label: string }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div class={`toast ${kind}`}>
      <Icon name={kind} />
      <span dir="auto">{text}</span>
      <button type="button" aria-label={label} onClick={() => dismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  )
}
