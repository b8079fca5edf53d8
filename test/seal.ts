/** Seals a text as the tablet does, with WebCrypto. */
export async function sealText(publicKey: string, about: string, content: unknown): Promise<string> {
  const { subtle } = crypto
  const point = Uint8Array.from(Buffer.from(publicKey, 'base64url'))
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  const server = await subtle.importKey('raw', point, curve, false, [])
  const own = await subtle.generateKey(curve, true, ['deriveBits'])
  const sealer = new Uint8Array(await subtle.exportKey('raw', own.publicKey))
  const bits = await subtle.deriveBits({ name: 'ECDH', public: server }, own.privateKey, 256)
  const shared = await subtle.importKey('raw', bits, 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode('trialbox envelope')
  const salt = Uint8Array.from([...sealer, ...point])
  const aes = { name: 'AES-GCM', length: 256 }
  const key = await subtle.deriveKey({ name: 'HKDF', hash: 'SHA-256', salt, info }, shared, aes, false, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const additionalData = new TextEncoder().encode(about)
  const text = new TextEncoder().encode(JSON.stringify(content))
  const body = new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, text))
  return Buffer.from([1, ...sealer, ...iv, ...body]).toString('base64url')
}
