import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from './icon'
import { useTranslator } from './translator'

type Toast = { id: number; text: string; kind: 'success' | 'info' }

/** How long a message stays, in milliseconds. A toast is never the only place of a message that a person must read. */
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
  const { t } = useTranslator()
  return (
    <section class="toasts" aria-label={t('toast.messages')} aria-live="polite">
      {toasts.value.map((toast) => (
        <ToastItem key={toast.id} toast={toast} label={t('toast.dismiss')} />
      ))}
    </section>
  )
}

function ToastItem({ toast: { id, text, kind }, label }: { toast: Toast; label: string }) {
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
