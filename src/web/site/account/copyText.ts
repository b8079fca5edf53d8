import { showToast } from '#web/kit/ui/components'
import type { Translator } from './texts'

/** Copies a text and says so. If the browser does not allow it, the text is selected, so that the person can copy it. */
export async function copyText({ t }: Translator, text: string, shown: HTMLElement | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(t('account.copied'))
  } catch {
    if (shown) getSelection()?.selectAllChildren(shown)
    showToast(t('account.notCopied'), 'info')
  }
}
