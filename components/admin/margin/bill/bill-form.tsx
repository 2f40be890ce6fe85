"use client";

import { FileUp, X } from "lucide-react";
import { useRef, useState } from "react";
import { decodeText } from "@/lib/shared/decode-text";
import { billVendors, MAX_BILL_MEGABYTES, type ProviderBill } from "@/lib/shared/provider-bills/bill";
import { readBills } from "@/lib/shared/provider-bills/read-bill";
import { fill } from "../../../i18n/fill";
import { useMessages } from "../../../i18n/provider";
import { Button } from "../../../ui/button";
import { Card, Facts } from "../../../ui/card";
import { Field, TextArea } from "../../../ui/field";
import { Fold } from "../../../ui/fold";
import { useProblemWords } from "./use-problem-words";

interface ChosenFile {
  name: string;
  text: string;
}

/** The export, as files or pasted. What is changed after it was read is not read any more: `onRead` gets null. */
export function BillForm(props: { onRead: (bill: ProviderBill | null) => void }) {
  const text = useMessages("providerBill");
  const [files, setFiles] = useState<ChosenFile[]>([]);
  const [pasted, setPasted] = useState("");
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const wordsOf = useProblemWords();
  function change(set: () => void) {
    setProblem(null);
    props.onRead(null);
    set();
  }
  async function read() {
    setReading(true);
    await painted();
    const all = [...files, ...(pasted.trim() === "" ? [] : [{ name: text.paste, text: pasted }])];
    const found = readBills(all.map((one) => one.text));
    setReading(false);
    if (!("problem" in found)) return props.onRead(found.bill);
    const name = found.at === null || all.length < 2 ? null : (all[found.at]?.name ?? null);
    const words = wordsOf(found.problem);
    setProblem(name === null ? words : fill(text.inFile, { name, problem: words }));
    area.current?.focus();
  }
  return (
    <Card title={text.export}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void read();
        }}
      >
        <p className="prose-width text-sm">{text.private}</p>
        <FileChoice
          files={files}
          onFiles={(chosen) => change(() => setFiles(chosen))}
          onProblem={(words) => change(() => setProblem(words))}
        />
        <Field
          label={text.paste}
          hint={fill(text.pasteHint, { size: MAX_BILL_MEGABYTES })}
          errors={problem === null ? undefined : [problem]}
        >
          {(control) => (
            <TextArea
              {...control}
              ref={area}
              spellCheck={false}
              rows={4}
              className="font-mono whitespace-pre"
              value={pasted}
              onChange={({ target }) => change(() => setPasted(target.value))}
            />
          )}
        </Field>
        <Formats />
        <Button type="submit" variant="primary" className="justify-self-start" disabled={reading}>
          {reading ? text.reading : text.read}
        </Button>
      </form>
    </Card>
  );
}

/** Lets the page show that it reads, which a large file takes a second of. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
}

/** Files that were chosen one after the other add up; one that is chosen again takes the place of the former. */
function FileChoice(props: {
  files: ChosenFile[];
  onFiles: (files: ChosenFile[]) => void;
  onProblem: (problem: string) => void;
}) {
  const text = useMessages("providerBill");
  const picker = useRef<HTMLInputElement>(null);
  const { files } = props;
  async function take(chosen: File[]) {
    const tooLarge = chosen.find(({ size }) => size > MAX_BILL_MEGABYTES * 1_000_000);
    if (tooLarge !== undefined)
      return props.onProblem(fill(text.tooLarge, { name: tooLarge.name, size: MAX_BILL_MEGABYTES }));
    let added = files;
    for (const file of chosen) {
      try {
        const read = { name: file.name, text: decodeText(await file.arrayBuffer()) };
        added = [...added.filter(({ name }) => name !== file.name), read];
      } catch {
        return props.onProblem(fill(text.unreadable, { name: file.name }));
      }
    }
    props.onFiles(added);
  }
  return (
    <div className="grid gap-2">
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept=".csv,.tsv,.txt,.json,text/csv,text/plain,application/json"
        onChange={({ target }) => {
          void take([...(target.files ?? [])]);
          target.value = ""; // so that the same file can be chosen again
        }}
      />
      <Button className="justify-self-start" onClick={() => picker.current?.click()}>
        <FileUp aria-hidden className="size-4" />
        {text.choose}
      </Button>
      {files.length > 0 && (
        <ul aria-label={text.files} className="grid gap-1 text-sm">
          {files.map(({ name }) => (
            <li key={name} className="flex items-center gap-1">
              <span className="min-w-0 wrap-anywhere">{name}</span>
              <Button
                variant="ghost"
                size="mini"
                aria-label={fill(text.remove, { name })}
                onClick={() => props.onFiles(files.filter((file) => file.name !== name))}
              >
                <X aria-hidden className="size-4" />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Formats() {
  const text = useMessages("providerBill");
  return (
    <Fold heading={text.formats} headingClass="w-fit py-1 text-sm font-medium">
      <Facts
        className="pt-2"
        rows={billVendors.map((vendor) => [text.vendors[vendor], text.formatsOf[vendor]])}
      />
    </Fold>
  );
}
