/** A real SMTP server on this machine that accepts or refuses mail, as the test sets it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import 'reflect-metadata'
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterFile } from '../afterFile'
import { freshFolder } from '../server/process/folder'

/** A certificate for 127.0.0.1, and the path of the file that makes clients trust it. */
export async function certificate() {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const made = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '51',
    name: 'CN=localhost',
    notAfter: new Date(Date.now() + 86_400_000),
    keys,
    signingAlgorithm,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  })
  const [cert, ca] = [made.toString('pem'), join(freshFolder(), 'ca.pem')]
  writeFileSync(ca, cert)
  return { cert, key: PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY'), ca }
}

export type Mail = { from: string; to: string[]; text: string; isSecure: boolean; user: string | undefined }

/** The response to a message after it was received; undefined accepts it. */
type ServerReply = { code: number; words: string } | 'hold' | 'hang up' | undefined

export type MailServer = Awaited<ReturnType<typeof mailServer>>

export async function mailServer(options: SMTPServerOptions = {}) {
  const mails: Mail[] = []
  const pending: (() => void)[] = []
  const state = { says: undefined as ServerReply, recipientSays: undefined as ServerReply, connections: 0 }
  const refusal = ({ code, words }: { code: number; words: string }) =>
    Object.assign(new Error(words), { responseCode: code })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS', 'AUTH'],
    onConnect(_session, done) {
      state.connections++
      done()
    },
    onAuth: ({ username, password }, _session, done) =>
      password === 'let me in' ? done(null, { user: username! }) : done(new Error('Wrong password')),
    onRcptTo(_address, _session, done) {
      if (typeof state.recipientSays === 'object') return done(refusal(state.recipientSays))
      done()
    },
    async onData(stream, session, done) {
      const text = await new Response(stream as unknown as ReadableStream).text()
      const { mailFrom, rcptTo } = session.envelope
      mails.push({
        from: (mailFrom as { address: string }).address,
        to: rcptTo.map(({ address }) => address),
        text,
        isSecure: session.secure,
        user: session.user as string | undefined,
      })
      const { says } = state
      if (says === 'hold') return void pending.push(() => done())
      if (says === 'hang up') {
        for (const connection of server.connections) (connection as { close(): void }).close()
        return
      }
      if (says) return done(refusal(says))
      done()
    },
    ...options,
  })
  server.on('error', () => {}) // connections that clients abort
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const close = () => server.close(() => {})
  afterFile(close)
  return {
    port: (server.server.address() as { port: number }).port,
    mails,
    state,
    close,
    /** Accepts the messages that it has delayed. */
    release() {
      for (const take of pending.splice(0)) take()
    },
  }
}
