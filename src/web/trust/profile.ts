/** A configuration profile (`.mobileconfig`) with which iPhones, iPads and Macs install an authority. */
import { sha256 } from '#kernel/id'

/** A UUID that always belongs to this text (RFC 9562, version 8): installed again, a profile replaces itself. */
function uuidOf(text: string): string {
  const hash = sha256(text)
  const variant = ((Number.parseInt(hash[16]!, 16) & 3) | 8).toString(16)
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ]
    .join('-')
    .toUpperCase()
}

/** @param der the certificate of the authority, in DER form */
export function appleProfile(der: Uint8Array, fingerprint: string): string {
  const name = `Trialbox ${fingerprint.slice(0, 11)}`
  const payload = Buffer.from(der).toString('base64')
  const common = (identifier: string, type: string) =>
    `<key>PayloadDisplayName</key><string>${name}</string><key>PayloadIdentifier</key><string>${identifier}</string><key>PayloadType</key><string>${type}</string><key>PayloadUUID</key><string>${uuidOf(`${identifier} ${fingerprint}`)}</string><key>PayloadVersion</key><integer>1</integer>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>PayloadContent</key><array><dict><key>PayloadCertificateFileName</key><string>trialbox.cer</string><key>PayloadContent</key><data>${payload}</data>${common('trialbox.authority', 'com.apple.security.root')}</dict></array>${common('trialbox.trust', 'Configuration')}</dict></plist>
`
}
