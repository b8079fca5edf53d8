/** Where the person writes to the team, with pictures and files. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { newId } from '#web/kit/storage/ids'
import { Button, Fault, Progress } from '#web/kit/ui/components'
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { isOnline } from '#web/participant/device/session'
import { useTranslator } from '#web/participant/texts'
import { MOST_BYTES, upload } from './attachmentUpload'
import { Glyph } from './glyph'
import { draftText, keepDraftText, keepMessage } from './outbox'
import { sizeText } from './sizes'

const MOST_CHARACTERS = 3000
const MOST_FILES = 5

export function Composer({ onSend }: { onSend: () => Promise<void> }) {
  const { t, language } = useTranslator()
  const [text, setText] = useState(draftText)
  const [files, setFiles] = useState<readonly File[]>([])
  const [share, setShare] = useState<number>()
  const [fault, setFault] = useState<string>()
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  // A message whose answer was lost is the same at the next attempt, unless the person changes it.
  const id = useRef(newId())
  const stored = useRef(new Map<File, string>())
  useEffect(() => {
    const { current } = area
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${Math.min(current.scrollHeight + 2, 240)}px`
  }, [text])

  const write = (value: string) => {
    id.current = newId()
    setText(value)
    keepDraftText(value)
  }
  const choose = (chosen: readonly File[]) => {
    const large = chosen.find(({ size }) => size > MOST_BYTES)
    if (large) setFault(t('messages.tooLarge', { name: large.name, most: sizeText(language, MOST_BYTES) }))
    else setFault(chosen.length + files.length > MOST_FILES ? t('messages.tooMany', { most: MOST_FILES }) : undefined)
    id.current = newId()
    setFiles([...files, ...chosen.filter(({ size }) => size > 0 && size <= MOST_BYTES)].slice(0, MOST_FILES))
  }

  async function sendWithFiles(): Promise<boolean> {
    for (const [at, file] of files.entries()) {
      if (stored.current.has(file)) continue
      const answer = await upload(file, (part) => setShare((at + part) / files.length))
      if (!answer.isDone) {
        setFault(refusalText(answer) || t('messages.notUploaded', { name: file.name }))
        return false
      }
      stored.current.set(file, answer.body)
    }
    const attachments = files.flatMap((file) => stored.current.get(file) ?? [])
    const body = { message: text.trim().toWellFormed(), attachments }
    const answer = await askAs('POST', '/participants/messages', { body, idempotencyKey: id.current })
    if (!answer.isDone) setFault(refusalText(answer))
    return answer.isDone
  }

  const send = async (event: Event) => {
    event.preventDefault()
    if (share !== undefined || (!text.trim() && !files.length)) return area.current?.focus()
    setFault(undefined)
    if (files.length) {
      setShare(0)
      const isSent = await sendWithFiles()
      setShare(undefined)
      if (!isSent) return
      setFiles([])
    } else keepMessage(text.trim())
    write('')
    area.current?.focus()
    await onSend()
  }
  return (
    <form class="composer" onSubmit={send}>
      {files.length > 0 && (
        <ul class="chosen" aria-label={t('messages.files')}>
          {files.map((file) => (
            <li key={`${file.name} ${file.lastModified} ${file.size}`}>
              <bdi>{file.name}</bdi> <span class="note">{sizeText(language, file.size)}</span>
              <button type="button" class="plain" onClick={() => setFiles(files.filter((each) => each !== file))}>
                {t('messages.removeFile')}
                <span class="hidden"> {file.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && !isOnline.value && <p class="note">{t('messages.filesOffline')}</p>}
      {share !== undefined && <Progress label={t('messages.uploading')} share={share} />}
      <Fault id="message-fault" text={fault} />
      <div class="composer-row">
        <button
          type="button"
          class="round"
          aria-label={t('messages.attach')}
          title={t('messages.attach')}
          onClick={() => picker.current?.click()}
        >
          <Glyph name="clip" />
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            choose([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
        <label class="hidden" for="message">
          {t('messages.write')}
        </label>
        <textarea
          ref={area}
          id="message"
          class="input"
          rows={1}
          dir="auto"
          maxLength={MOST_CHARACTERS}
          placeholder={t('messages.write')}
          aria-describedby={fault ? 'message-fault' : undefined}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
        <Button kind="main" type="submit" isBusy={share !== undefined} label={t('messages.send')}>
          <Glyph name="send" isMirrored />
        </Button>
      </div>
      {text.length > MOST_CHARACTERS - 200 && (
        <p class="note">{t('messages.left', { count: MOST_CHARACTERS - text.length })}</p>
      )}
    </form>
  )
}
