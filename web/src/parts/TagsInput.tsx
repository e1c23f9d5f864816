import { useState } from "react";
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import { t } from "../i18n";
import { Plain } from "../text/Plain";
import { Icon } from "./icons";

interface Props {
  value: string[];
  onChange: (tags: string[]) => void;
  /** Tags that exist, to choose from. */
  known: readonly string[];
  label?: string;
}

/** Tags as chips, with the existing ones offered while typing. Enter or a comma adds what was typed. */
export function TagsInput({ value, onChange, known, label = t("tags") }: Props) {
  const [text, setText] = useState("");
  const add = (added: string) => {
    const tags = added.split(",").map((tag) => tag.trim()).filter((tag) => tag && !value.includes(tag));
    setText("");
    if (tags.length) onChange([...value, ...new Set(tags)]);
  };
  const options = known.filter((tag) => !value.includes(tag) && tag.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())).slice(0, 50);
  return (
    <ComboBox
      className="field tags-field"
      allowsCustomValue
      menuTrigger="input"
      inputValue={text}
      onInputChange={(next) => (next.includes(",") ? add(next) : setText(next))}
      items={options.map((name) => ({ id: name, name }))}
      selectedKey={null}
      onSelectionChange={(key) => key !== null && add(String(key))}
    >
      <Label>{label}</Label>
      <div className="tags-box">
        {value.map((tag) => (
          <span key={tag} className="chip">
            <Plain text={tag} />
            <button type="button" className="chip-close" aria-label={t("tags.drop", { tag })} onClick={() => onChange(value.filter((other) => other !== tag))}>
              <Icon name="close" size={12} />
            </button>
          </span>
        ))}
        <Input
          className="tag-input"
          placeholder={t("tags.add")}
          onBlur={() => add(text)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && text.trim()) {
              event.preventDefault();
              add(text);
            }
            if (event.key === "Backspace" && !text && value.length) onChange(value.slice(0, -1));
          }}
        />
        <Button className="icon-button" aria-label={t("tags.show")}><Icon name="down" size={14} /></Button>
      </div>
      <Popover className="popover">
        <ListBox className="options">{(item: { id: string; name: string }) => <ListBoxItem id={item.id} textValue={item.name} className="option"><Plain text={item.name} /></ListBoxItem>}</ListBox>
      </Popover>
    </ComboBox>
  );
}
