import { appendFileSync } from 'node:fs';
import type { Recogniser } from '../../engine/src/guard/privacy/recogniser.ts';
import type { Models } from '../../engine/src/model/model.ts';

/** What the director of the durability loop redacts: the number of its job, which stands for the name of somebody. */
const JOB = /job \d+/g;

/** A recogniser that takes jobs for persons. */
export const jobRecogniser: Recogniser = {
  recognise: async (text) =>
    [...text.matchAll(JOB)].map(({ 0: job, index }) => ({
      ...{ start: index, end: index + job.length, kind: 'person' as const, text: job },
    })),
  close: async () => {},
};

/** Models that note in a file each request that shows a job. */
export function watchedModels(models: Models, file: string): Models {
  return {
    ...models,
    open(api) {
      const model = models.open(api);
      return {
        ...model,
        ask(request) {
          const sent = JSON.stringify([request.messages, request.tools]);
          if (JOB.test(sent)) appendFileSync(file, `${sent}\n`);
          JOB.lastIndex = 0;
          return model.ask(request);
        },
      };
    },
  };
}
