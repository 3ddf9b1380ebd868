import { createRecogniser } from '../../guard/privacy/recogniser.ts';
import { redactRecording } from '../../replay/case/redact-case.ts';
import type { Recording, RoutedMail } from '../../replay/replay.ts';

/** A recording with fictitious names, addresses and numbers. `mail`: the mail that starts it, if one does. */
export async function redactForCase(full: Recording, mail: RoutedMail | undefined): Promise<Recording> {
  const recogniser = createRecogniser();
  try {
    return await redactRecording(full, mail, recogniser);
  } finally {
    await recogniser.close();
  }
}
